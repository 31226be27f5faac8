/** The bytes of files: a PUT to a signed URL, without an Authorization header. */
import { Readable } from 'node:stream'
import { ServiceError } from '@plumbline/contract'
import type { FastifyInstance } from 'fastify'
import { readFileKey } from '../../datasets/files/file-key.ts'
import type { UploadSigner } from '../../datasets/files/upload-signature.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { piecesOf } from '../bodies.ts'

interface UploadParts {
  readonly signer: UploadSigner
  readonly bytesMax: number
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly now: () => Date
}

interface UploadRequest {
  Params: { fileKey: string }
  Querystring: { workspace?: string; expires?: string; signature?: string }
}

export function registerUploads(
  server: FastifyInstance,
  { signer, bytesMax, workspaceOf, now }: UploadParts,
): void {
  // A separate Fastify scope, whose bodies are not parsed but passed on as streams.
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, callback) => callback(null, payload))
    scope.put<UploadRequest>('/files/upload/:fileKey', async (request, reply) => {
      const { workspace: workspaceId = '', expires = '', signature = '' } = request.query
      const fileKey = readFileKey(request.params.fileKey)
      const upload = fileKey && { workspaceId, fileKey, expires: Number(expires) }
      if (upload === undefined || !signer.isGenuine(upload, signature))
        throw refusal('was not made by this service')
      if (upload.expires * 1000 < now().getTime()) throw refusal('has expired; request a new one')
      const { files, fileStore, workspaceName } = workspaceOf(workspaceId)
      // Nothing would ever delete the bytes.
      if ((await workspaceName.find()) === undefined) throw refusal('belongs to a deleted workspace')
      if ((await files.find(upload.fileKey))?.uploadedAt !== undefined) throw secondUseRefusal()
      if (Number(request.headers['content-length'] ?? 0) > bytesMax)
        throw new ServiceError('file_too_large', { bytesMax })
      const body = request.body as Readable | undefined
      if (body === undefined)
        throw new ServiceError('invalid_request', { path: '', problem: 'must be the bytes of the file' })
      const { discard, ...uploaded } = await fileStore.receive(
        upload.fileKey,
        Readable.from(piecesOf(body)),
        bytesMax,
      )
      let isKept = false
      try {
        isKept = await files.markUploaded(upload.fileKey, uploaded, now())
      } finally {
        if (!isKept) await discard()
      }
      // Another upload to the same URL finished first.
      if (!isKept) throw secondUseRefusal()
      return reply.code(200).send({ fileKey: upload.fileKey, sizeBytes: uploaded.sizeBytes })
    })
  })
}

const refusal = (problem: string): ServiceError =>
  new ServiceError('upload_refused', { problem: `This upload address ${problem}.` })

const secondUseRefusal = (): ServiceError => refusal('has been used; request a new one')
