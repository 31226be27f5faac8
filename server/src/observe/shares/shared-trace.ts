/** The trace of a share link as it is shown without an account: without personal data, and masked. */
import { ServiceError, type StoredTrace } from '@plumbline/contract'
import { LRUCache } from 'lru-cache'
import { findTrace } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ShareSigner } from './share-signature.ts'
import { withoutPeople } from './without-people.ts'

interface SharedTrace {
  readonly trace: StoredTrace
  readonly expiresAt: string
}

interface SharedTraceDeps {
  readonly signer: ShareSigner
  readonly workspaceOf: (workspaceId: string) => Workspace
  /** Counts a read of a link; throws if the link is read too often. */
  readonly checkRate: (shareId: string, nowMs: number) => void
  readonly responses: LRUCache<string, string>
  readonly now: () => Date
}

/** Responses are cached, since readers of a link have no API key whose rate limit would apply. */
const cacheTtlMs = 60_000
const cacheCharactersMax = 64 * 1024 * 1024

/** Responses by the id of their share. */
export const makeResponseCache = (): LRUCache<string, string> =>
  new LRUCache({ maxSize: cacheCharactersMax, ttl: cacheTtlMs, sizeCalculation: ({ length }) => length })

/** The response as JSON; throws `link_not_valid` with the reason. */
export async function readSharedTrace(
  token: string,
  { signer, workspaceOf, checkRate, responses, now }: SharedTraceDeps,
): Promise<string> {
  const key = signer.read(token)
  if (key === undefined) throw notValid('was not made by this service')
  checkRate(key.id, now().getTime())
  const workspace = workspaceOf(key.workspaceId)
  const share = await workspace.shares.find(key.id)
  if (share === undefined) throw notValid('points to a deleted trace')
  if (share.revokedAt !== undefined) throw notValid('was revoked')
  if (share.expiresAt <= now()) throw notValid('has expired')
  const cachedResponse = responses.get(share.id)
  if (cachedResponse !== undefined) return cachedResponse
  const storedTrace = await findTrace(share.traceId, workspace)
  if (storedTrace === undefined) throw notValid('points to a deleted trace')
  const masked = await workspace.masking.shared({ ...storedTrace, scores: [] })
  const trace = withoutPeople(toStoredTrace({ ...masked, scores: [] }), storedTrace.trace)
  const response: SharedTrace = { trace, expiresAt: share.expiresAt.toISOString() }
  const text = JSON.stringify(response)
  responses.set(share.id, text)
  return text
}

const notValid = (problem: string): ServiceError =>
  new ServiceError('link_not_valid', { problem: `This link ${problem}.` })
