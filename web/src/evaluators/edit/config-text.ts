/** A configuration as lines of text, to read and to compare versions by. Pure. */

/** Fields in the order of their names; texts of several lines unchanged, below their name. */
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

/** Objects with their fields in order, so that only what says something else differs. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortFields(inner)]),
  )
}
