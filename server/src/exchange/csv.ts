/** Tables as CSV after RFC 4180. `null` is an empty cell, and an empty text is `""`, so that both can be read back. */
import { writeTimestamp } from '../monitor/timestamp.ts'
import type { TableColumn, TableRow } from './table.ts'

export async function* csvPieces(
  columns: readonly TableColumn[],
  rows: AsyncIterable<TableRow>,
): AsyncGenerator<string> {
  yield lineOf(columns.map(({ name }) => textCell(name)))
  for await (const row of rows) {
    yield lineOf(
      row.map((cell) => {
        if (cell === null) return ''
        if (typeof cell === 'bigint') return writeTimestamp(cell)
        return typeof cell === 'string' ? textCell(cell) : String(cell)
      }),
    )
  }
}

/** A single empty cell would be an empty line, which readers skip. */
const lineOf = (cells: readonly string[]): string => `${cells.join(',') || '""'}\r\n`

/** What spreadsheets take for a formula, less what is plainly a number; and what was marked as a text before. */
const formula = /^'*[=+\-@\t\r]/
const plainNumber = /^[-+]?\d+(?:\.\d+)?$/

/**
 * A spreadsheet would run a text that an end user began with `=`, so an apostrophe marks it as a text. Those that
 * begin with apostrophes and `=` get one more: whoever takes one away has the text as it was.
 */
function textCell(text: string): string {
  const marked = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return marked === '' || /[",\r\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked
}
