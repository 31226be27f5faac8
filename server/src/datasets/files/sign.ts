import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { newFileKey } from './file-key.ts'
import type { UploadSigner } from './upload-signature.ts'

const expiresInSeconds = 15 * 60

/** Announces a file, and returns the URL to upload it to. */
export const makeSign =
  (signer: UploadSigner, bytesMax: number): Verb<typeof operations.files.sign> =>
  async ({ fileName, contentType, sizeBytes }, { workspace, now, publicUrl }) => {
    if (sizeBytes != null && sizeBytes > bytesMax) throw new ServiceError('file_too_large', { bytesMax })
    const fileKey = newFileKey(now)
    await workspace.files.create({ fileKey, fileName, contentType, sizeBytes: sizeBytes ?? undefined }, now)
    const expires = Math.floor(now.getTime() / 1000) + expiresInSeconds
    const signature = signer.sign({ workspaceId: workspace.id, fileKey, expires })
    const query = new URLSearchParams({ workspace: workspace.id, expires: String(expires), signature })
    return {
      uploadUrl: `${publicUrl}/files/upload/${fileKey}?${query}`,
      fileKey,
      expiresAt: new Date(expires * 1000).toISOString(),
      maxSizeBytes: bytesMax,
    }
  }
