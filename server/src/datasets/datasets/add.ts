import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { enforceSchemas, withMismatches } from '../columns/check-cells.ts'
import { fromSent, omittedOnAdding, toRow } from './row.ts'

/** Adds a row. Values without a column are stored too, and appear when the column is added. */
export const add: Verb<typeof operations.datasets.add> = async (input, { workspace, now }) => {
  const { slug } = input
  const dataset = await workspace.datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  const problems = enforceSchemas(dataset.columns, input.values, 'values')
  const added = await mapStorageErrors(workspace.datasetRows.add(slug, fromSent(input), now))
  const { row, omittedColumns } = toRow(added, new Set(dataset.columns.map(({ name }) => name)))
  return { datasetRow: row, ...withMismatches(omittedOnAdding(omittedColumns), problems) }
}
