import type { operations } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toVersions } from './view.ts'

export const create: Verb<typeof operations.datasetVersions.create> = async (
  { slug, note },
  { workspace, caller, now },
) => {
  const newVersion = { note: note ?? '', createdBy: caller.id, now }
  const created = await mapStorageErrors(workspace.datasetVersions.create(slug, newVersion))
  const [version] = await toVersions([created], workspace)
  return { version: version! }
}
