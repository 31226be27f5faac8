import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { findDataset } from './find-dataset.ts'
import { toRowSelection } from './row-search.ts'

export const facets: Verb<typeof operations.datasets.facets> = async (
  { slug, ...selection },
  { workspace },
) => {
  const { columns } = await findDataset(workspace, slug, selection.version)
  const { rowCount, splits, labels } = await mapStorageErrors(
    workspace.datasetRows.facets(slug, toRowSelection(selection, columns)),
  )
  return { rowCount, splits: [...splits], labels: [...labels] }
}
