import { Readable } from 'node:stream'
import { type Column, type DatasetRow, invalid, type operations } from '@plumbline/contract'
import type { Dataset, DatasetRow as StoredRow } from '@plumbline/storage/control'
import { FileBytes } from '../../requests/responses.ts'
import type { Verb } from '../../requests/verb.ts'
import { csvPieces } from '../../table-files/csv.ts'
import { parquetPieces } from '../../table-files/parquet.ts'
import { inPieces } from '../../table-files/pieces.ts'
import type { TableColumn, TableRow } from '../../table-files/table.ts'
import { findDataset } from './find-dataset.ts'
import { toRow } from './row.ts'
import { toRowSelection } from './row-search.ts'
import { toColumn } from './summary.ts'

/** Fields of a row in addition to its columns. */
const besideColumns = ['idealOutput', 'name', 'metadata'] as const
/** If the dataset has a column with such a name, the file has only that column. */
const markColumns = ['split', 'labels'] as const

/** All rows as a file; exported as `export`. */
const write: Verb<typeof operations.datasets.export> = async (
  { slug, format, ...selection },
  { workspace },
) => {
  const dataset = await findDataset(workspace, slug, selection.version)
  const rows = rowsOf(dataset, workspace.datasetRows.stream(slug, toRowSelection(selection, dataset.columns)))
  const file = (pieces: AsyncIterable<string | Uint8Array>, type: string): FileBytes =>
    new FileBytes(Readable.from(pieces, { objectMode: false }), type, `${slug}.${format}`)
  switch (format) {
    case 'jsonl':
      return file(inPieces(asLines(rows)), 'application/x-ndjson')
    case 'json':
      return file(inPieces(asList(rows)), 'application/json; charset=utf-8')
    case 'csv':
      return file(inPieces(csvPieces(...asTable(dataset, rows))), 'text/csv; charset=utf-8')
    case 'parquet':
      return file(parquetPieces(...asTable(dataset, rows)), 'application/vnd.apache.parquet')
  }
}

export { write as export }

async function* rowsOf({ columns }: Dataset, rows: AsyncIterable<StoredRow>): AsyncGenerator<DatasetRow> {
  const columnNames = new Set(columns.map(({ name }) => name))
  for await (const row of rows) yield toRow(row, columnNames).row
}

async function* asLines(rows: AsyncIterable<DatasetRow>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

async function* asList(rows: AsyncIterable<DatasetRow>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const row of rows) {
    yield separator + JSON.stringify(row)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Cells are strings in each kind of file. A column with the name of a row field could not be distinguished from it. */
function asTable(
  { columns }: Dataset,
  rows: AsyncIterable<DatasetRow>,
): [TableColumn[], AsyncIterable<TableRow>] {
  const clash = columns.find(({ name }) => besideColumns.some((column) => column === name))
  if (clash !== undefined)
    throw invalid(
      'format',
      `must be jsonl or json: the column "${clash.name}" has the name of a fixed part of every row`,
    )
  const marks = markColumns.filter((mark) => !columns.some(({ name }) => name === mark))
  const names = [...columns.map(({ name }) => name), ...besideColumns, ...marks]
  return [names.map((name) => ({ name, type: 'text' })), tableRows(columns.map(toColumn), marks, rows)]
}

async function* tableRows(
  columns: readonly Column[],
  marks: readonly (typeof markColumns)[number][],
  rows: AsyncIterable<DatasetRow>,
): AsyncGenerator<TableRow> {
  for await (const { values, idealOutput, name, metadata, split, labels } of rows) {
    const cells = columns.map((column) => {
      const value = values[column.name]
      if (value === undefined) return null
      return typeof value === 'string' && column.type !== 'json' ? value : JSON.stringify(value)
    })
    yield [
      ...cells,
      idealOutput ?? null,
      name ?? null,
      metadata === undefined ? null : JSON.stringify(metadata),
      // Labels contain no commas.
      ...marks.map((mark) => (mark === 'split' ? split : labels?.join(', ')) ?? null),
    ]
  }
}
