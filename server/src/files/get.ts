import { type operations, ServiceError } from '@plumbline/contract'
import { FileBytes } from '../answers.ts'
import type { Verb } from '../verb.ts'

export const get: Verb<typeof operations.files.get> = async ({ fileKey }, { workspace }) => {
  const file = await workspace.files.find(fileKey)
  const stream = file === undefined ? undefined : await workspace.fileStore.read(fileKey)
  if (file === undefined || stream === undefined) throw new ServiceError('file_not_found', { fileKey })
  return new FileBytes(stream, file.contentType, file.fileName)
}
