/** A CSV cell (RFC 4180), as the service and the web app write it and the importers read it. */

/**
 * Texts that spreadsheets would run as a formula, including those already marked as text. Spreadsheets set to Japanese,
 * Chinese or Korean accept full-width signs too.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const markedFormula = /^'+[=+\-@\t\r\n＝＋－＠]/
const plainNumber = /^[-+]?\d+(?:\.\d+)?$/

/**
 * Writes a cell: no value is empty and an empty text is `""`, so that both can be read back.
 *
 * A spreadsheet would run a text that begins with `=`, which an end user may have written, so an apostrophe marks it as
 * text. Texts that begin with apostrophes and `=` get one more, so that removing one restores the original. Characters
 * that other programs may treat as separators are quoted as well.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const marked = formula.test(value) && !plainNumber.test(value) ? `'${value}` : value
  return marked === '' || /[",;\t\r\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked
}

/** The text of a cell, without the mark that keeps spreadsheets from running it. */
export const textOfCsvCell = (cell: string): string => (markedFormula.test(cell) ? cell.slice(1) : cell)
