import { isDeepStrictEqual } from 'node:util'
import type { operations } from '@plumbline/contract'
import type { DatasetColumn, DatasetRow } from '@plumbline/storage/control'
import { nextCursorOf, readPageKey } from '../../requests/cursor.ts'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { findDataset } from '../datasets/find-dataset.ts'
import { toStoredRow } from '../datasets/row.ts'
import { toColumn } from '../datasets/summary.ts'

export const compare: Verb<typeof operations.datasetVersions.compare> = async (
  { slug, from, to, limit = 100, cursor },
  { workspace },
) => {
  const after = readPageKey('datasetVersions.compare', cursor)
  const before = await findDataset(workspace, slug, from)
  const now = await findDataset(workspace, slug, to)
  const page = await mapStorageErrors(workspace.datasetVersions.compare({ slug, from, to, limit, after }))
  return {
    columns: {
      added: missingIn(before.columns, now.columns).map(toColumn),
      removed: missingIn(now.columns, before.columns).map(toColumn),
    },
    rows: page.items.map((difference) => ({
      id: difference.id,
      change: changeOf(difference),
      ...(difference.before && { before: shownRow(difference.before, before.columns) }),
      ...(difference.after && { after: shownRow(difference.after, now.columns) }),
    })),
    ...nextCursorOf('datasetVersions.compare', page.next),
  }
}

const missingIn = (columns: readonly DatasetColumn[], others: readonly DatasetColumn[]): DatasetColumn[] =>
  others.filter((other) => !columns.some((column) => isDeepStrictEqual(column, other)))

const changeOf = ({ before, after }: { readonly before: unknown; readonly after: unknown }) =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'

const shownRow = (row: DatasetRow, columns: readonly DatasetColumn[]) => toStoredRow(row, columns).row
