/** Who is signed in. A session that was just looked up is kept for a moment, so that a page's many requests ask once. */
import type { PersonSession } from '@plumbline/storage/control'
import { LRUCache } from 'lru-cache'
import { hashToken } from './one-time-link.ts'

const keptMs = 2000
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

export interface Sessions {
  /** The session with a token, unless it has expired or ended. */
  find(token: string, nowMs: number): Promise<PersonSession | undefined>
  /** Forgets everything: somebody signed out, or what people may do has changed. */
  forget(): void
}

export function makeSessions({ findSession, touchSession, idleMs, hasOtherNodes }: SessionsParts): Sessions {
  const cachedSessions = new LRUCache<string, PersonSession>({ max: 10_000, ttl: keptMs })
  // Counts the calls of `forget`: an answer of the store that began before one is not kept.
  let epoch = 0

  return {
    async find(token, nowMs) {
      const askedIn = epoch
      const cachedSession = cachedSessions.get(token)
      const session = cachedSession ?? (await findSession(hashToken(token)))
      if (session === undefined || session.expiresAt.getTime() <= nowMs) return undefined
      const idleForMs = nowMs - session.usedAt.getTime()
      if (idleForMs >= idleMs) return undefined
      const isToTouch = idleForMs >= touchEveryMs
      if (cachedSession !== undefined && !isToTouch) return session
      const usedAt = isToTouch ? new Date(nowMs) : session.usedAt
      if (isToTouch) await touchSession(session.id, usedAt)
      const used = { ...session, usedAt }
      if (askedIn === epoch && !hasOtherNodes) cachedSessions.set(token, used)
      return used
    },
    forget() {
      epoch += 1
      cachedSessions.clear()
    },
  }
}
