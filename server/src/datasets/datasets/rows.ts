import type { operations } from '@plumbline/contract'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { findDataset } from './find-dataset.ts'
import { toStoredRow } from './row.ts'
import { toRowSelection } from './row-search.ts'

export const rows: Verb<typeof operations.datasets.rows> = async (
  { slug, limit = 100, cursor, ...selection },
  { workspace },
) => {
  const after = readPageKey('rows', cursor)
  const dataset = await findDataset(workspace, slug, selection.version)
  const page = await mapStorageErrors(
    workspace.datasetRows.list({ slug, limit, after, ...toRowSelection(selection, dataset.columns) }),
  )
  return {
    rows: page.items.map((row) => toStoredRow(row, dataset.columns).row),
    ...nextCursorOf('rows', page.next),
  }
}
