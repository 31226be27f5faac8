/** The bytes of files: a PUT to a signed address, without an Authorization header. */
import type { Readable } from 'node:stream'
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance } from 'fastify'
import type { UploadSigner } from '../files/upload-signature.ts'
import type { Workspace } from '../workspace.ts'

interface UploadParts {
  readonly signer: UploadSigner
  readonly bytesMax: number
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly now: () => Date
}

export const uploadPath = '/files/upload/{fileKey}'

interface UploadRequest {
  Params: { fileKey: string }
  Querystring: { workspace?: string; expires?: string; signature?: string }
}

export function takeUploads(
  server: FastifyInstance,
  { signer, bytesMax, workspaceOf, now }: UploadParts,
): void {
  // A scope of its own, whose bodies are not parsed but passed on as they come.
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.put<UploadRequest>('/files/upload/:fileKey', async (request, reply) => {
      const { workspace: workspaceId = '', expires = '', signature = '' } = request.query
      const upload = { workspaceId, fileKey: request.params.fileKey, expires: Number(expires) }
      if (!signer.isGenuine(upload, signature)) {
        throw new ServiceError('upload_refused', {
          problem: 'This upload address was not made by this service.',
        })
      }
      if (upload.expires * 1000 < now().getTime()) {
        throw new ServiceError('upload_refused', {
          problem: 'This upload address has expired; ask for another.',
        })
      }
      if (Number(request.headers['content-length'] ?? 0) > bytesMax)
        throw new ServiceError('file_too_large', { bytesMax })
      const { files, fileStore, workspaceName } = workspaceOf(workspaceId)
      // Nothing would ever delete the bytes.
      if ((await workspaceName.find()) === undefined)
        throw new ServiceError('upload_refused', { problem: 'The workspace of this address was deleted.' })
      const body = request.body as Readable | undefined
      if (body === undefined)
        throw new ServiceError('invalid_request', { path: '', problem: 'must be the bytes of the file' })
      const sizeBytes = await fileStore.write(upload.fileKey, body, bytesMax)
      await files.markUploaded(upload.fileKey, { sizeBytes }, now())
      return reply.code(200).send({ fileKey: upload.fileKey, sizeBytes })
    })
  })
}
