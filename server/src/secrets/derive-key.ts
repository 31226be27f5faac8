/** Keys derived from the root secret, one per purpose: none of them reveals the root or another key. */
import { hkdfSync } from 'node:crypto'

/** Labels determine the keys, and so the encrypted data: never change one. */
export const labels = {
  sealing: 'plumbline connection keys',
  responses: 'plumbline remembered responses',
  sessions: 'plumbline session cookies',
  auditHashes: 'plumbline hashes of audited requests',
  shares: 'plumbline share links',
  masking: 'plumbline hashes of masked values',
  fingerprint: 'plumbline fingerprint of the root secret',
} as const

/** A 32-byte key for one purpose. */
export const deriveKey = (rootSecret: string, label: (typeof labels)[keyof typeof labels]): Buffer =>
  Buffer.from(hkdfSync('sha256', rootSecret, '', label, 32))

/** May be stored to recognize the root secret; nothing is encrypted or signed with it. */
export const fingerprintOf = (rootSecret: string): string =>
  deriveKey(rootSecret, labels.fingerprint).toString('hex')
