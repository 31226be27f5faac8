import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const remove: Verb<typeof operations.features.delete> = async ({ slug }, { workspace }) => {
  const { prompts, experiments } = await mapStorageErrors(workspace.features.remove(slug))
  if (prompts + experiments > 0) throw new ServiceError('feature_in_use', { slug, prompts, experiments })
  return undefined
}

export { remove as delete }
