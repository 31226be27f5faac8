/**
 * Who is signed in. A session that was just looked up is kept for a moment, so that a page's many requests ask once, and
 * longer for when the control plane is away.
 */
import { ControlStoreAway, type PersonSession } from '@plumbline/storage/control'
import { LRUCache } from 'lru-cache'
import { hashToken } from './one-time-link.ts'

/** How long a session is not looked up again. */
const freshMs = 2000
/** How long it goes on without the control plane. */
const cacheTtlMs = 10 * 60_000
/** The last use is noted this often. */
const touchEveryMs = 3_600_000

interface SessionsParts {
  findSession(tokenHash: string): Promise<PersonSession | undefined>
  /** Notes that a session was used. */
  touchSession(id: string, now: Date): Promise<void>
  /** A session that was not used for so long has ended. */
  readonly idleMs: number
  /** Whether other nodes may end a session or change a role: then each request asks the store. */
  readonly hasOtherNodes: boolean
}

interface CachedSession {
  readonly session: PersonSession
  /** When the store was asked for it, by the clock of requests. */
  readonly checkedAtMs: number
  /** Until when it need not ask again, by a clock that nobody sets. */
  readonly freshUntilMs: number
}

export interface Sessions {
  /** The session with a token, unless it has expired or ended. */
  find(token: string, nowMs: number): Promise<PersonSession | undefined>
  /** Has sessions looked up again: something of what they tell may have changed. */
  markStale(): void
  /** Forgets the sessions of a person, or all, and has the others looked up again: somebody signed out, or may do less. */
  forget(personId?: string): void
}

export function makeSessions({ findSession, touchSession, idleMs, hasOtherNodes }: SessionsParts): Sessions {
  const checked = new LRUCache<string, CachedSession>({ max: 10_000, ttl: cacheTtlMs })
  // Counts the calls of `forget` and `markStale`: an answer of the store that began before one is not kept.
  let generation = 0
  let staleBeforeMs = 0

  const isFresh = ({ freshUntilMs }: CachedSession): boolean =>
    performance.now() < freshUntilMs && freshUntilMs - freshMs >= staleBeforeMs

  /** As the store has it; while that is away, as it was a while ago, unless this node has ended it. */
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

  /** A use that cannot be noted now is noted later. */
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
