import { invalid, type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { enforceSchemas, withMismatches } from '../columns/check-cells.ts'
import { fromSent, omittedOnAdding } from './row.ts'

/** Adds many rows. Values without a column are stored too, and appear when the column is added. */
export const append: Verb<typeof operations.datasets.append> = async ({ slug, rows }, { workspace, now }) => {
  const dataset = await workspace.datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  const rowIds = rows.map(({ id }) => id?.toLowerCase())
  const firstPlaces = new Map(rowIds.map((id, index) => [id, index] as const).toReversed())
  const repeated = rowIds.findIndex((id, index) => id !== undefined && firstPlaces.get(id) !== index)
  if (repeated >= 0) throw invalid(`rows[${repeated}].id`, 'must not be the id of another row in the request')
  const problems = rows.flatMap(({ values }, row) =>
    enforceSchemas(dataset.columns, values, `rows[${row}].values`).map((problem) => ({ ...problem, row })),
  )
  const newRows = rows.map((row, index) => ({ ...fromSent(row), id: rowIds[index] }))
  const ids = await mapStorageErrors(workspace.datasetRows.addMany(slug, newRows, now))
  const columnNames = new Set(dataset.columns.map(({ name }) => name))
  const unknown = new Set(
    rows.flatMap(({ values }) => Object.keys(values)).filter((name) => !columnNames.has(name)),
  )
  return {
    ids,
    ...(problems.length === 0
      ? {}
      : { problems: problems.map(({ row, column, problem }) => ({ row, column, problem })) }),
    ...withMismatches(omittedOnAdding([...unknown]), problems),
  }
}
