/** Keys for one purpose each, made of the root secret: none of them gives away the root or another. */
import { hkdfSync } from 'node:crypto'

/** Labels are part of what is encrypted with their keys: never change one. */
export const labels = {
  sealing: 'plumbline connection keys',
  responses: 'plumbline remembered responses',
  sessions: 'plumbline session cookies',
  auditHashes: 'plumbline hashes of audited requests',
  shares: 'plumbline share links',
  masking: 'plumbline hashes of masked values',
  fingerprint: 'plumbline fingerprint of the root secret',
} as const

/** 32 bytes for one purpose. */
export const deriveKey = (rootSecret: string, label: (typeof labels)[keyof typeof labels]): Buffer =>
  Buffer.from(hkdfSync('sha256', rootSecret, '', label, 32))

/** What may be stored to know the root secret again; nothing is encrypted or signed with it. */
export const fingerprintOf = (rootSecret: string): string =>
  deriveKey(rootSecret, labels.fingerprint).toString('hex')
