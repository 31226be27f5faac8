import { invalid, type operations, ServiceError } from '@plumbline/contract'
import { readTimestamp } from '../../json/timestamp.ts'
import type { Caller, Verb } from '../../requests/verb.ts'
import { hashSecret, makeSecret, shownPrefix } from './secret.ts'
import { toApiKey } from './view.ts'

export const create: Verb<typeof operations.keys.create> = async (
  { name, scopes, expiresAt },
  { workspace, caller, now },
) => {
  if (scopes.includes('operate')) refuseUnlessOwner(caller)
  const secret = makeSecret()
  const key = {
    name,
    hash: hashSecret(secret),
    prefix: shownPrefix(secret),
    scopes,
    expiresAt: expiresAt == null ? undefined : readExpiry(expiresAt, now),
    createdBy:
      caller.session === undefined
        ? (await workspace.apiKeys.findMakers([caller.id])).get(caller.id)
        : caller.id,
  }
  return { apiKey: toApiKey(await workspace.apiKeys.create(key, now)), secret }
}

/** A key may not create one with `operate`, whatever its scopes: a stolen key could otherwise create another to keep. */
function refuseUnlessOwner({ session, role }: Caller): void {
  if (session !== undefined && role === 'owner') return
  throw new ServiceError('forbidden', {
    problem: 'Only an owner who is signed in can create a key with the scope "operate".',
  })
}

function readExpiry(expiresAt: string | number, now: Date): Date {
  const micros = readTimestamp(expiresAt)
  if (micros === undefined)
    throw invalid('expiresAt', 'must be an ISO 8601 date-time that exists, or a Unix time')
  const expiry = new Date(Number(micros / 1000n))
  if (expiry <= now) throw invalid('expiresAt', 'must be in the future')
  return expiry
}
