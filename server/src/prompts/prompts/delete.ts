import { type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'

const remove: Verb<typeof operations.prompts.delete> = async ({ slug }, { workspace }) => {
  if (!(await mapStorageErrors(workspace.prompts.remove(slug))))
    throw new ServiceError('prompt_in_use', { slug })
  return undefined
}

export { remove as delete }
