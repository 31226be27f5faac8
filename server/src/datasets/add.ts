import { type operations, ServiceError } from '@plumbline/contract'
import { changing } from '../refusals.ts'
import type { Verb } from '../verb.ts'
import { toRow } from './row.ts'

/** Adds a row. Values without a column are stored too: they show when the column comes. */
export const add: Verb<typeof operations.datasets.add> = async (input, { workspace, now }) => {
  const { slug } = input
  const dataset = await workspace.datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  const stored = {
    values: JSON.stringify(input.values),
    name: input.name ?? undefined,
    idealOutput: input.idealOutput ?? undefined,
    metadata: input.metadata == null ? undefined : JSON.stringify(input.metadata),
  }
  const added = await changing(workspace.datasetRows.add(slug, stored, now))
  const { row, omitted } = toRow(added, new Set(dataset.columns.map(({ name }) => name)))
  if (omitted.length === 0) return { datasetRow: row }
  const warning = `The following columns do not exist in the dataset and were omitted: ${omitted.join(', ')}`
  return { datasetRow: row, warning }
}
