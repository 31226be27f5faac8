import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { omittedOnAdding, toStoredRow } from './row.ts'

export const change: Verb<typeof operations.datasets.change> = async (
  { slug, id, values, name, idealOutput, metadata },
  { workspace },
) => {
  const dataset = await workspace.datasets.find(slug)
  if (dataset === undefined) throw new ServiceError('dataset_not_found', { slug })
  const changed = await mapStorageErrors(
    workspace.datasetRows.update(slug, id, {
      // Set one by one, so that two people who edit two cells of a row both win.
      ...(values === undefined ? {} : { values: (current) => withValues(current, values) }),
      name,
      idealOutput,
      metadata: metadata == null ? metadata : JSON.stringify(metadata),
    }),
    slug,
  )
  const { row } = toStoredRow(changed, new Set(dataset.columns.map((column) => column.name)))
  const unknown = Object.keys(values ?? {}).filter((column) => !(column in row.values))
  return { row, ...omittedOnAdding(unknown) }
}

/** Safe: the values of a row were a JSON object when they were stored. */
const withValues = (current: string, values: Record<string, unknown>): string =>
  JSON.stringify(
    Object.fromEntries([
      ...Object.entries(JSON.parse(current) as Record<string, unknown>),
      ...Object.entries(values),
    ]),
  )
