/** Who is signed in. A session that was just looked up is kept for a moment, so that a page's many requests ask once. */
import type { PersonSession } from '@plumbline/storage/control'
import { LRUCache } from 'lru-cache'
import { hashToken } from './one-time-link.ts'

/** Signing out or losing a role here takes effect on other nodes when this has passed. */
const keptMs = 2000

export interface Sessions {
  /** The session with a token, unless it has expired or ended. */
  find(token: string, nowMs: number): Promise<PersonSession | undefined>
  /** Forgets everything: somebody signed out, or what people may do has changed. */
  forget(): void
}

export function makeSessions(
  findSession: (tokenHash: string) => Promise<PersonSession | undefined>,
): Sessions {
  const kept = new LRUCache<string, PersonSession>({ max: 10_000, ttl: keptMs })
  // Counts the calls of `forget`: an answer of the store that began before one is not kept.
  let epoch = 0

  return {
    async find(token, nowMs) {
      const askedIn = epoch
      const known = kept.get(token)
      const session = known ?? (await findSession(hashToken(token)))
      if (session === undefined || session.expiresAt.getTime() <= nowMs) return undefined
      if (known === undefined && askedIn === epoch) kept.set(token, session)
      return session
    },
    forget() {
      epoch += 1
      kept.clear()
    },
  }
}
