import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readFileKey } from './file-key.ts'
import { removeFile } from './remove-file.ts'

const remove: Verb<typeof operations.files.delete> = async ({ fileKey }, { workspace }) => {
  const key = readFileKey(fileKey)
  const existed = key !== undefined && (await removeFile(workspace, key))
  if (!existed) throw new ServiceError('file_not_found', { fileKey })
  return undefined
}

export { remove as delete }
