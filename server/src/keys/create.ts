import { invalid, type operations } from '@plumbline/contract'
import { readTimestamp } from '../monitor/timestamp.ts'
import type { Verb } from '../verb.ts'
import { hashSecret, makeSecret, shownPrefix } from './secret.ts'
import { toApiKey } from './view.ts'

export const create: Verb<typeof operations.keys.create> = async (
  { name, scopes, expiresAt },
  { workspace, now },
) => {
  const secret = makeSecret()
  const key = {
    name,
    hash: hashSecret(secret),
    prefix: shownPrefix(secret),
    scopes,
    expiresAt: expiresAt == null ? undefined : readExpiry(expiresAt, now),
  }
  return { apiKey: toApiKey(await workspace.apiKeys.create(key, now)), secret }
}

function readExpiry(expiresAt: string | number, now: Date): Date {
  const micros = readTimestamp(expiresAt)
  if (micros === undefined)
    throw invalid('expiresAt', 'must be an ISO 8601 date-time that exists, or a Unix time')
  const expiry = new Date(Number(micros / 1000n))
  if (expiry <= now) throw invalid('expiresAt', 'must be in the future')
  return expiry
}
