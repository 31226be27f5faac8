/** One cell of CSV (RFC 4180), as the service and the page write it and the importers read it. */

/**
 * What spreadsheets take for a formula, also where it was marked as a text before. Those set to Japanese, Chinese or Korean
 * take the full-width signs for the plain ones.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const markedFormula = /^'+[=+\-@\t\r\n＝＋－＠]/
const plainNumber = /^[-+]?\d+(?:\.\d+)?$/

/**
 * A cell: nothing is empty, an empty text is `""`, so that both can be read back.
 *
 * A spreadsheet would run a text that an end user began with `=`, so an apostrophe marks it as a text. Those that
 * begin with apostrophes and `=` get one more: whoever takes one away has the text as it was. What another program may
 * take for a separator is quoted as well.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const marked = formula.test(value) && !plainNumber.test(value) ? `'${value}` : value
  return marked === '' || /[",;\t\r\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked
}

/** The text of a cell that was read, without the mark that keeps spreadsheets from running it. */
export const textOfCsvCell = (cell: string): string => (markedFormula.test(cell) ? cell.slice(1) : cell)
