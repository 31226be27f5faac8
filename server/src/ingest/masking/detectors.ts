import type { MaskingDetector } from '@plumbline/contract'
import { findCards } from '../../detectors/card.ts'
import { findCredentials } from '../../detectors/credentials.ts'
import { findEmails } from '../../detectors/email.ts'
import type { Find } from '../../detectors/hit.ts'
import { findIbans } from '../../detectors/iban.ts'
import { findIps } from '../../detectors/ip.ts'
import { findPhones } from '../../detectors/phone.ts'

export interface Detector {
  readonly find: Find
  /** Returns the same text for every spelling of a value, so that their hashes are equal. */
  readonly normalize: (hit: string) => string
}

const withoutSigns = (hit: string): string => hit.replace(/[^\p{L}\p{N}+]/gu, '').toUpperCase()
const asIs = (hit: string): string => hit

export const detectors: Readonly<Record<MaskingDetector, Detector>> = {
  email: { find: findEmails, normalize: (hit) => hit.replace('%40', '@').toLowerCase() },
  phone: { find: findPhones, normalize: withoutSigns },
  card: { find: findCards, normalize: withoutSigns },
  iban: { find: findIbans, normalize: withoutSigns },
  ip: { find: findIps, normalize: (hit) => hit.toLowerCase() },
  'api-key': { find: findCredentials, normalize: asIs },
}
