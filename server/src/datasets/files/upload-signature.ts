/** The signature of an upload URL: anyone with the URL may upload one file, until it expires. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Upload {
  readonly workspaceId: string
  readonly fileKey: string
  /** Unix time in seconds. */
  readonly expires: number
}

export interface UploadSigner {
  sign(upload: Upload): string
  isGenuine(upload: Upload, signature: string): boolean
}

export function makeUploadSigner(secret: string): UploadSigner {
  const digest = ({ workspaceId, fileKey, expires }: Upload): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([workspaceId, fileKey, expires]))
      .digest()
  return {
    sign: (upload) => digest(upload).toString('base64url'),
    isGenuine(upload, signature) {
      const expected = digest(upload)
      const actual = Buffer.from(signature, 'base64url')
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
