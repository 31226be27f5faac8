/** Workspace secrets at rest: encrypted with AES-256-GCM, so that a copy of the control plane alone reveals none of them. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Keyring {
  /** The secret in its stored form; only the same workspace can open it. */
  seal(text: string, workspaceId: string): string
  /** Throws if it was sealed with another secret or for another workspace, or has changed since. */
  open(sealedValue: string, workspaceId: string): string
}

const algorithm = 'aes-256-gcm'
/** Prefix of sealed values, to distinguish later formats. */
const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/** A keyring with a 32-byte key. */
export function makeKeyring(key: Buffer): Keyring {
  return {
    seal(text, workspaceId) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(workspaceId))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${sealed.toString('base64url')}`
    },
    open(sealedText, workspaceId) {
      const [sealVersion, text = ''] = sealedText.split('.')
      if (sealVersion !== version) throw new Error('This key was sealed in an unknown format.')
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(workspaceId))
        .setAuthTag(bytes.subarray(-tagBytes))
      return (
        decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}
