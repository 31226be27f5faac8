/** Tables as CSV. */
import { csvCell } from '@plumbline/contract/csv-cell'
import { writeTimestamp } from '../json/timestamp.ts'
import type { TableColumn, TableRow } from './table.ts'

export async function* csvPieces(
  columns: readonly TableColumn[],
  rows: AsyncIterable<TableRow>,
): AsyncGenerator<string> {
  yield lineOf(columns.map(({ name }) => csvCell(name)))
  for await (const row of rows) {
    yield lineOf(row.map((cell) => (typeof cell === 'bigint' ? writeTimestamp(cell) : csvCell(cell))))
  }
}

/** A single empty cell would be an empty line, which readers skip. */
const lineOf = (cells: readonly string[]): string => `${cells.join(',') || '""'}\r\n`
