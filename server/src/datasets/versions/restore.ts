import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { findDataset } from '../datasets/find-dataset.ts'
import { toSummary } from '../datasets/summary.ts'

export const restore: Verb<typeof operations.datasetVersions.restore> = async (
  { slug, version },
  { workspace, caller, now },
) => {
  await findDataset(workspace, slug, version)
  const savedVersion = { note: `Before version ${version} was restored`, createdBy: caller.id, now }
  const { saved } = await mapStorageErrors(workspace.datasetVersions.restore(slug, version, savedVersion))
  return { dataset: toSummary(await findDataset(workspace, slug)), savedVersion: saved }
}
