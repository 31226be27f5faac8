/** A configuration as lines of text, for reading and for diffs between versions. Pure. */

/** Fields are sorted by name; multi-line texts are unchanged, below their name. */
export function configText(config: Readonly<Record<string, unknown>>): string {
  return Object.entries(config)
    .filter(([, value]) => value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => fieldText(name, value))
    .join('\n')
}

function fieldText(name: string, value: unknown): string {
  if (typeof value !== 'string') return `${name}: ${indent(JSON.stringify(sortFields(value), null, 2))}`
  return value.includes('\n') ? `${name}:\n${value.replace(/^(?=.)/gm, '  ')}` : `${name}: ${value}`
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ')

/** Objects with sorted fields, so that only real changes differ. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortFields(inner)]),
  )
}
