import type { operations } from '@plumbline/contract'
import type { Dataset, DatasetRow } from '@plumbline/storage/control'
import { StreamedJson } from '../../requests/responses.ts'
import type { Verb } from '../../requests/verb.ts'
import { findDataset } from './find-dataset.ts'
import { toRow } from './row.ts'
import { toColumn } from './summary.ts'

const omittedWarning = 'Some rows contained columns that do not exist in the dataset and were omitted.'

/** How much text is buffered before it is sent. */
const pieceLength = 64 * 1024

/** A dataset with all its rows, however many: it is streamed, with only one chunk in memory at a time. */
export const get: Verb<typeof operations.datasets.get> = async ({ slug, ...selection }, { workspace }) => {
  const dataset = await findDataset(workspace, slug, selection.version)
  return new StreamedJson(write(dataset, workspace.datasetRows.stream(slug, selection)))
}

async function* write(
  { slug, name, columns }: Dataset,
  rows: AsyncIterable<DatasetRow>,
): AsyncGenerator<string> {
  const columnNames = new Set(columns.map((column) => column.name))
  const head = JSON.stringify({ slug, name, columns: columns.map(toColumn) })
  let piece = `{"dataset":${head.slice(0, -1)},"rows":[`
  let separator = ''
  let hasOmitted = false
  for await (const storedRow of rows) {
    const { row, omittedColumns } = toRow(storedRow, columnNames)
    hasOmitted ||= omittedColumns.length > 0
    piece += separator + JSON.stringify(row)
    separator = ','
    if (piece.length >= pieceLength) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}]}${hasOmitted ? `,"warning":${JSON.stringify(omittedWarning)}` : ''}}`
}
