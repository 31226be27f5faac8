/**
 * Bearer credentials. A verified key is cached, so that the hot routes need no store. While the control plane is
 * unavailable, the key remains valid, for a limited time even after its workspace has changed, unless this node has revoked
 * it.
 */
import { timingSafeEqual } from 'node:crypto'
import { type Operation, type Scope, ServiceError } from '@plumbline/contract'
import { ControlStoreAway } from '@plumbline/storage/control'
import { LRUCache } from 'lru-cache'
import { hashSecret, isMistyped } from '../../accounts/keys/secret.ts'
import type { EndedKeys } from '../../process/foundation.ts'
import { allows } from '../../requests/allows.ts'
import type { Caller } from '../../requests/verb.ts'
import { isOutdated, makeProvenKeys, type ProvenKey } from './proven-keys.ts'

/** A key as stored in the control plane. */
export interface StoredKey {
  readonly id: string
  readonly name: string
  readonly workspaceId: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | undefined
  readonly revokedAt: Date | undefined
}

/** A parsed Authorization header. */
interface Credential {
  readonly authorization: string
  readonly secret: string
  readonly hash: string
}

export interface Authenticator {
  /**
   * The caller, at once if the key is cached here, otherwise from the store; throws `unauthorized`. If a connection is
   * given, the hash of its last key is cached with it, since the next request mostly uses the same key.
   */
  authenticate(
    authorization: string | undefined,
    nowMs: number,
    connection?: object,
  ): Caller | Promise<Caller>
  /** The caller, if the key is cached here and valid. For any other key, `authenticate` reports the problem. */
  knownCaller(authorization: string, nowMs: number, connection: object): Caller | undefined
  /** Has the keys of a workspace, and unknown keys, looked up again. */
  forget(workspaceId: string): void
  /** Removes keys that this node has just revoked. */
  end(keys: EndedKeys): void
  /** Ids of the keys used since the last call. */
  takeUsed(): string[]
}

const bearer = /^bearer +([^\s]+) *$/i

export interface AuthenticatorDeps {
  findByHash(hash: string): Promise<StoredKey | undefined>
  /**
   * Resolves once changes that other nodes made in a workspace are known, with false if the nodes are unreachable; undefined
   * with a single node.
   */
  readonly catchUp: ((workspaceId: string) => Promise<boolean>) | undefined
  readonly now: () => Date
}

export function makeAuthenticator({ findByHash, catchUp, now }: AuthenticatorDeps): Authenticator {
  const provenKeys = makeProvenKeys()
  const unknown = new LRUCache<string, true>({ max: 10_000, ttl: 5_000 })
  const lastCredentials = new WeakMap<object, Credential>()
  let used = new Set<string>()
  // Counts the calls of `forget` and `end`: a lookup that started before one is not cached.
  let generation = 0

  const readCredential = (authorization: string, connection?: object): Credential | undefined => {
    const last = connection && lastCredentials.get(connection)
    if (last !== undefined && last.authorization === authorization) return last
    const secret = bearer.exec(authorization)?.[1]
    if (secret === undefined) return undefined
    const credential = { authorization, secret, hash: hashSecret(secret) }
    if (connection !== undefined) lastCredentials.set(connection, credential)
    return credential
  }

  const accept = (entry: ProvenKey, nowMs: number): Caller => {
    if (entry.expiresAtMs <= nowMs) throw refusal('This API key has expired.')
    used.add(entry.caller.id)
    return entry.caller
  }

  /** Rechecks the entry after catching up: another node may have revoked the key, or changed what the request is about. */
  const acceptAfter = async (
    entry: ProvenKey,
    secret: string,
    {
      hash,
      nowMs,
      caughtUp,
    }: { readonly hash: string; readonly nowMs: number; readonly caughtUp: Promise<boolean> },
  ): Promise<Caller> => {
    const isCurrent = await caughtUp
    if (isCurrent) entry.knownAtMs = nowMs
    const holds = provenKeys.get(hash) === entry && !isOutdated(entry, nowMs)
    return holds ? accept(entry, nowMs) : ask(secret, hash, nowMs)
  }

  const ask = async (secret: string, hash: string, nowMs: number): Promise<Caller> => {
    const startGeneration = generation
    let key: StoredKey | undefined
    try {
      key = await findByHash(hash)
    } catch (error) {
      const entry = provenKeys.get(hash)
      if (error instanceof ControlStoreAway && entry !== undefined && !isOutdated(entry, nowMs))
        return accept(entry, nowMs)
      throw error
    }
    if (key === undefined || key.revokedAt !== undefined) provenKeys.delete(hash)
    if (key === undefined) {
      if (startGeneration === generation) unknown.set(hash, true)
      throw refusal(describeUnknownKey(secret))
    }
    if (!timingSafeEqual(Buffer.from(key.hash, 'hex'), Buffer.from(hash, 'hex')))
      throw refusal('This API key is not known.')
    if (key.revokedAt !== undefined) throw refusal('This API key has been revoked.')
    const entry: ProvenKey = {
      caller: {
        id: key.id,
        name: key.name,
        session: undefined,
        workspaceId: key.workspaceId,
        scopes: key.scopes,
        role: key.scopes.includes('manage') ? 'admin' : 'viewer',
      },
      expiresAtMs: key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      isStale: false,
      knownAtMs: nowMs,
    }
    if (startGeneration === generation) provenKeys.set(hash, entry)
    await catchUp?.(key.workspaceId)
    return accept(entry, nowMs)
  }

  return {
    authenticate(authorization, nowMs, connection) {
      if (authorization === undefined) throw refusal('Send an API key: `Authorization: Bearer pl_…`.')
      const credential = readCredential(authorization, connection)
      if (credential === undefined) throw refusal('The Authorization header must be `Bearer` and an API key.')
      const { secret, hash } = credential
      const entry = provenKeys.get(hash)
      const isFresh = entry?.isStale === false
      if (isFresh && catchUp === undefined) return accept(entry, nowMs)
      if (isFresh && catchUp !== undefined)
        return acceptAfter(entry, secret, { hash, nowMs, caughtUp: catchUp(entry.caller.workspaceId) })
      if (unknown.has(hash)) throw refusal(describeUnknownKey(secret))
      return ask(secret, hash, nowMs)
    },
    knownCaller(authorization, nowMs, connection) {
      const credential = readCredential(authorization, connection)
      const entry = credential && provenKeys.get(credential.hash)
      if (entry === undefined || entry.isStale || entry.expiresAtMs <= nowMs) return undefined
      return accept(entry, nowMs)
    },
    forget(workspaceId) {
      generation += 1
      unknown.clear()
      // The change on the other node may be that the key was revoked.
      if (catchUp !== undefined) provenKeys.end({ workspaceId })
      else provenKeys.markStale(workspaceId, now().getTime())
    },
    end(keys) {
      generation += 1
      provenKeys.end(keys)
    },
    takeUsed() {
      const usedScopes = [...used]
      used = new Set()
      return usedScopes
    },
  }
}

/** Refuses a key that lacks the scope of a route. */
export function refuseWithoutScope(
  scopes: readonly Scope[],
  { scope, orScope }: Pick<Operation, 'scope' | 'orScope'>,
): void {
  if (allows(scopes, scope) || (orScope !== undefined && allows(scopes, orScope))) return
  const needed = orScope === undefined ? `"${scope}"` : `"${scope}" or "${orScope}"`
  throw new ServiceError('forbidden', {
    problem:
      scope === null
        ? 'Only a person who is signed in may do this, not an API key.'
        : `This API key lacks the scope ${needed}, which this route needs${scope === 'operate' ? ownersOnly : ''}.`,
  })
}

const ownersOnly = '; only an owner can create a key with it'

/** A configured key may have any form, so only an unknown key can be called mistyped. */
const describeUnknownKey = (secret: string): string =>
  isMistyped(secret) ? 'This API key is mistyped: its checksum does not fit.' : 'This API key is not known.'

const refusal = (problem: string) => new ServiceError('unauthorized', { problem })
