/** Files and images of datasets: first a signed URL, then the upload. */
import { Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Instant } from '../interface/shapes.ts'

const mediaToken = "[a-zA-Z0-9!#$%&'*+.^_`|~-]+"

/** A media type as in a header (RFC 9110, 8.3.1), with or without parameters. */
export const mediaTypePattern = `^${mediaToken}/${mediaToken}(?:[ \\t]*;[ \\t]*${mediaToken}=(?:${mediaToken}|"[ !#-\\[\\]-~]*"))*$`

export const sign = operation({
  name: 'files.sign',
  method: 'POST',
  path: '/files/generate-upload-url',
  summary: 'Returns a signed URL that accepts one PUT of a file, without an Authorization header.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    fileName: Type.String({ minLength: 1, maxLength: 1024, description: 'Name of the file.' }),
    contentType: Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: mediaTypePattern,
      description: 'Its media type, such as image/png.',
    }),
    sizeBytes: Absentable(
      Type.Integer({
        minimum: 0,
        description: 'Its size, if known, so that a file that is too large is rejected at once.',
      }),
    ),
  }),
  success: 200,
  secretOutput: true,
  output: Type.Object({
    uploadUrl: Type.String({ description: 'PUT the bytes here, with the same Content-Type.' }),
    fileKey: Type.String({ description: 'The value to store in the row.' }),
    expiresAt: Instant('When the URL expires.'),
    maxSizeBytes: Type.Integer({ description: 'Maximum size of the file.' }),
  }),
  errors: ['invalid_request', 'file_too_large'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'files.delete',
  method: 'DELETE',
  path: '/files/{fileKey}',
  summary: 'Deletes a file. Rows that refer to it keep the key, but show no file.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ fileKey: Type.String({ description: 'Key of the file.' }) }),
  success: 204,
  output: null,
  errors: ['file_not_found'],
})

export { remove as delete }

export const get = operation({
  name: 'files.get',
  method: 'GET',
  path: '/files/{fileKey}',
  summary: 'Returns the bytes of a file, with the media type of its upload.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    fileKey: Type.String({ description: 'Key of the file.' }),
    workspace: Type.Optional(
      Type.String({
        description:
          'Workspace of the file, instead of the header `Plumbline-Workspace`, which an image on a web page cannot send. Not needed with an API key, which belongs to one workspace.',
      }),
    ),
  }),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  errors: ['file_not_found'],
})
