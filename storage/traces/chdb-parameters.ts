/**
 * Binds `{name:Type}` of a statement the way a ClickHouse session does: `SET param_name = '...'`. The engine parses
 * the value as the type that the statement declares; no value ever becomes part of the statement.
 */
/** The statements to run in front of one, on the same session. */
export function settingsAndParameters(
  settings: Readonly<Record<string, string | number | boolean>>,
  params: Readonly<Record<string, unknown>> = {},
): string {
  const assignments = [
    ...Object.entries(settings).map(([name, value]) => `${named(name)} = ${literal(value)}`),
    ...Object.entries(params).map(([name, value]) => `param_${named(name)} = ${literal(parameter(value))}`),
  ]
  return assignments.length === 0 ? '' : `SET ${assignments.join(', ')};\n`
}

/** The text form of a value: escaped as in TSV, and texts inside a list quoted. */
function parameter(value: unknown): string {
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) {
    return `[${value.map((each) => (typeof each === 'string' ? `'${escaped(each)}'` : parameter(each))).join(',')}]`
  }
  throw new TypeError(`Not a parameter: ${typeof value}`)
}

function named(name: string): string {
  if (!/^\w+$/.test(name)) throw new Error(`Not a name: ${name}`)
  return name
}

function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${escaped(value)}'` : String(Number(value))
}

const escapes: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** A lone surrogate is not UTF-8, so it goes as the replacement character, which is how it was stored. */
function escaped(text: string): string {
  return text.toWellFormed().replace(/['\\\0\n\r\t]/g, (found) => escapes[found] ?? found)
}
