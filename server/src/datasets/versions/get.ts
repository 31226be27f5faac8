import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { toVersions } from './view.ts'

export const get: Verb<typeof operations.datasetVersions.get> = async (
  { slug, version: text },
  { workspace },
) => {
  const version = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  const stored = await mapStorageErrors(workspace.datasetVersions.find(slug, version))
  if (stored === undefined) throw new ServiceError('dataset_version_not_found', { slug, version: text })
  const [shown] = await toVersions([stored], workspace)
  return { version: shown! }
}
