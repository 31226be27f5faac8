import { type operations, ServiceError } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toStoredRow } from './row.ts'

export const rows: Verb<typeof operations.datasets.rows> = async (
  { slug, limit = 100, cursor },
  { workspace },
) => {
  const after = readPageKey('rows', cursor)
  const dataset = await workspace.datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  const columnNames = new Set(dataset.columns.map(({ name }) => name))
  const page = await mapStorageErrors(workspace.datasetRows.list({ slug, limit, after }))
  return {
    rows: page.items.map((row) => toStoredRow(row, columnNames).row),
    ...nextCursorOf('rows', page.next),
  }
}
