import { mediaTypePattern, type operations, ServiceError } from '@plumbline/contract'
import { FileBytes } from '../../requests/responses.ts'
import type { Verb } from '../../requests/verb.ts'
import { readFileKey } from './file-key.ts'

export const get: Verb<typeof operations.files.get> = async ({ fileKey }, { workspace }) => {
  const key = readFileKey(fileKey)
  const file = key && (await workspace.files.find(key))
  const stream = key && file && (await workspace.fileStore.read(key))
  if (file === undefined || stream === undefined) throw new ServiceError('file_not_found', { fileKey })
  return new FileBytes(stream, servedType(file.contentType), file.fileName)
}

const mediaType = new RegExp(mediaTypePattern, 'u')

/** The type to serve a file with; a type that no header can carry is dropped, so that the file can still be served. */
const servedType = (contentType: string): string =>
  mediaType.test(contentType) ? contentType : 'application/octet-stream'
