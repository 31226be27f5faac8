import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readFileKey } from './file-key.ts'

const remove: Verb<typeof operations.files.delete> = async ({ fileKey }, { workspace }) => {
  const key = readFileKey(fileKey)
  const existed =
    key !== undefined && (await workspace.files.remove(key, () => workspace.fileStore.delete(key)))
  if (!existed) throw new ServiceError('file_not_found', { fileKey })
  return undefined
}

export { remove as delete }
