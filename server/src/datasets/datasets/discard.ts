import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

export const discard: Verb<typeof operations.datasets.discard> = async ({ slug, ids }, { workspace }) => ({
  discarded: await mapStorageErrors(workspace.datasetRows.removeMany(slug, ids)),
})
