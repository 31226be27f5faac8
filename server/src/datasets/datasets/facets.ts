import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

export const facets: Verb<typeof operations.datasets.facets> = async ({ slug }, { workspace }) => {
  const { splits, labels } = await mapStorageErrors(workspace.datasetRows.facets(slug))
  return { splits: [...splits], labels: [...labels] }
}
