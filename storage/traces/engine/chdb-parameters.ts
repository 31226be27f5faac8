/**
 * Binds the `{name:Type}` placeholders of a statement the way a ClickHouse session does: `SET param_name = '...'`. The
 * engine parses the value as the type that the statement declares; no value ever becomes part of the statement.
 */

/** The `SET` statement to run before a statement, on the same session. */
export function settingsAndParameters(
  settings: Readonly<Record<string, string | number | boolean>>,
  params: Readonly<Record<string, unknown>> = {},
): string {
  const assignments = [
    ...Object.entries(settings).map(([name, value]) => `${checkName(name)} = ${literal(value)}`),
    ...Object.entries(params).map(
      ([name, value]) => `param_${checkName(name)} = ${literal(parameter(value))}`,
    ),
  ]
  return assignments.length === 0 ? '' : `SET ${assignments.join(', ')};\n`
}

/** Settings (at least one) for a single statement, which the session does not keep. */
export const settingsClause = (settings: Readonly<Record<string, string | number | boolean>>): string =>
  `SETTINGS ${Object.entries(settings)
    .map(([name, value]) => `${checkName(name)} = ${literal(value)}`)
    .join(', ')}`

/** The text form of a value: escaped as in TSV, with strings inside a list quoted. */
function parameter(value: unknown): string {
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) {
    return `[${value.map((element) => (typeof element === 'string' ? `'${escapeText(element)}'` : parameter(element))).join(',')}]`
  }
  throw new TypeError(`Not a parameter: ${typeof value}`)
}

function checkName(name: string): string {
  if (!/^\w+$/.test(name)) throw new Error(`Not a name: ${name}`)
  return name
}

/** A value as a literal in a statement. */
export function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${escapeText(value)}'` : String(Number(value))
}

const escapes: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** A lone surrogate is not UTF-8, so it becomes the replacement character, as it does when stored. */
function escapeText(text: string): string {
  return text.toWellFormed().replace(/['\\\0\n\r\t]/g, (character) => escapes[character] ?? character)
}
