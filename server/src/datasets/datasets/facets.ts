import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { findDataset } from './find-dataset.ts'

export const facets: Verb<typeof operations.datasets.facets> = async (
  { slug, ...selection },
  { workspace },
) => {
  await findDataset(workspace, slug, selection.version)
  const { splits, labels } = await mapStorageErrors(workspace.datasetRows.facets(slug, selection))
  return { splits: [...splits], labels: [...labels] }
}
