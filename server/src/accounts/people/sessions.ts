/**
 * Sessions of signed-in users. A session that was just looked up is cached for a moment, so that a page's many requests need
 * one lookup, and longer while the control plane is unavailable.
 */
import { ControlStoreAway, type PersonSession } from '@plumbline/storage/control'
import { LRUCache } from 'lru-cache'
import { hashToken } from './one-time-link.ts'

/** How long a session is used without another lookup. */
const freshMs = 2000
/** How long it stays valid without the control plane. */
const cacheTtlMs = 10 * 60_000
/** How often the last use is stored. */
const touchEveryMs = 3_600_000

interface SessionsParts {
  findSession(tokenHash: string): Promise<PersonSession | undefined>
  /** Stores that a session was used. */
  touchSession(id: string, now: Date): Promise<void>
  /** A session that was not used for this long has ended. */
  readonly idleMs: number
  /** Whether other nodes may end a session or change a role: then each request looks up its session. */
  readonly hasOtherNodes: boolean
}

interface CachedSession {
  readonly session: PersonSession
  /** The time of the lookup, by the clock of requests. */
  readonly checkedAtMs: number
  /** When the next lookup is needed, by a monotonic clock. */
  readonly freshUntilMs: number
}

export interface Sessions {
  /** The session for a token, unless it has expired or ended. */
  find(token: string, nowMs: number): Promise<PersonSession | undefined>
  /** Has all sessions looked up again, since something in them may have changed. */
  markStale(): void
  /** Removes a user's sessions, or all, and has the others looked up again: a user signed out, or lost permissions. */
  forget(personId?: string): void
}

export function makeSessions({ findSession, touchSession, idleMs, hasOtherNodes }: SessionsParts): Sessions {
  const checked = new LRUCache<string, CachedSession>({ max: 10_000, ttl: cacheTtlMs })
  // Counts the calls of `forget` and `markStale`: a lookup that started before one is not cached.
  let generation = 0
  let staleBeforeMs = 0

  const isFresh = ({ freshUntilMs }: CachedSession): boolean =>
    performance.now() < freshUntilMs && freshUntilMs - freshMs >= staleBeforeMs

  /** The stored session; while the store is unavailable the cached one, unless this node has ended it. */
  const lookUp = async (token: string, nowMs: number): Promise<CachedSession | undefined> => {
    const startedAtMs = performance.now()
    try {
      const session = await findSession(hashToken(token))
      if (session === undefined) checked.delete(token)
      return session && { session, checkedAtMs: nowMs, freshUntilMs: startedAtMs + freshMs }
    } catch (error) {
      const last = checked.get(token)
      if (error instanceof ControlStoreAway && last !== undefined && nowMs - last.checkedAtMs <= cacheTtlMs)
        return last
      throw error
    }
  }

  /** A use that cannot be stored now is stored later. */
  const touch = async (id: string, time: Date): Promise<void> => {
    try {
      await touchSession(id, time)
    } catch (error) {
      if (!(error instanceof ControlStoreAway)) throw error
    }
  }

  const markStale = (): void => {
    generation += 1
    staleBeforeMs = performance.now()
  }

  return {
    async find(token, nowMs) {
      const startGeneration = generation
      const last = checked.get(token)
      const current = last !== undefined && isFresh(last) ? last : await lookUp(token, nowMs)
      const session = current?.session
      if (current === undefined || session === undefined || session.expiresAt.getTime() <= nowMs)
        return undefined
      const idleForMs = nowMs - session.usedAt.getTime()
      if (idleForMs >= idleMs) return undefined
      const isToTouch = idleForMs >= touchEveryMs
      if (current === last && !isToTouch) return session
      const usedAt = isToTouch ? new Date(nowMs) : session.usedAt
      if (isToTouch) await touch(session.id, usedAt)
      const used = { ...session, usedAt }
      if (startGeneration === generation && !hasOtherNodes) checked.set(token, { ...current, session: used })
      return used
    },
    markStale,
    forget(personId) {
      markStale()
      for (const [token, { session }] of checked.entries())
        if (personId === undefined || session.person.id === personId) checked.delete(token)
    },
  }
}
