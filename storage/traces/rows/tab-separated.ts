/**
 * ClickHouse's TabSeparated format, which the engine parses with half the work of NDJSON: cells separated by tabs, rows
 * by line feeds, and in every cell those two, backslashes and a few others behind a backslash.
 */

/** A cell without a value; the text `\N` is written as `\\N`. */
export const nullCell = '\\N'

/** A carriage return before a line feed would be taken for a line end of Windows; a NUL is legal, but kept readable. */
const special = /[\\\t\n\r\0]/
const control = /[\t\n\r\0]/

/** A lone surrogate is not UTF-8, and would make the engine reject the whole batch. */
export function textCell(text: string): string {
  const plain = text.isWellFormed() ? text : text.toWellFormed()
  return special.test(plain) ? escapeSpecial(plain) : plain
}

export const textOrNullCell = (text: string | null): string => (text === null ? nullCell : textCell(text))

export const numberCell = (number: number | bigint | null): string =>
  number === null ? nullCell : String(number)

/** An array of texts. */
export const listCell = (texts: readonly string[]): string =>
  texts.length === 0 ? '[]' : `[${texts.map(quoteCell).join(',')}]`

/** An array of pairs of texts. */
export const pairsCell = (pairs: readonly (readonly [string, string])[]): string =>
  `[${pairs.map(([first, second]) => `(${quoteCell(first)},${quoteCell(second)})`).join(',')}]`

/** A map of texts to texts. */
export const mapCell = (entries: readonly (readonly [string, string])[]): string =>
  `{${entries.map(([key, value]) => `${quoteCell(key)}:${quoteCell(value)}`).join(',')}}`

/** A map of texts to numbers. */
export const numberMapCell = (entries: readonly (readonly [string, number])[]): string =>
  entries.length === 0 ? '{}' : `{${entries.map(([key, value]) => `${quoteCell(key)}:${value}`).join(',')}}`

/** The texts of a line, by column; null where there is none. Undefined for a line with other columns. */
export function readCells(
  columns: readonly string[],
  line: string,
): Record<string, string | null> | undefined {
  const cells = line.replace(/\n$/, '').split('\t')
  if (cells.length !== columns.length) return undefined
  return Object.fromEntries(columns.map((column, index) => [column, textOfCell(cells[index] as string)]))
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '0': '\0' }

const textOfCell = (cell: string): string | null =>
  cell === nullCell ? null : cell.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)

/** A text inside an array, a tuple or a map. */
function quoteCell(text: string): string {
  const cell = textCell(text)
  return `'${cell.includes("'") ? cell.replaceAll("'", "\\'") : cell}'`
}

/** Backslashes first, since the others become one. JSON has no other of these characters. */
function escapeSpecial(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\')
  if (!control.test(escaped)) return escaped
  return escaped
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\0', '\\0')
}
