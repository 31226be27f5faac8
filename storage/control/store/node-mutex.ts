import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { resultWithin } from '../../result-within.ts'
import { ControlStoreAway } from '../errors.ts'
import { probeConnectionOf, probeMs } from './postgres-pool.ts'

/** An arbitrary advisory lock id that no other program uses in the same database. */
const traceChangesLock = 7_586_244_704
const retryMs = 50

export interface NodeMutex {
  /** Runs work while no other node of the database does; rejects with `ControlStoreAway` if it could not start. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Mutual exclusion of nodes by a PostgreSQL lock. Each call uses a separate connection, since holding a pool connection
 * could deadlock with work that waits for one. The lock ends with the connection: a node that loses it continues, and
 * another one may run at the same time.
 */
export function makeNodeMutex(url: string): NodeMutex {
  return {
    async runExclusive(work) {
      const client = await connectAndLock(url)
      try {
        return await work()
      } finally {
        // A hanging server does not respond, and closes the connection once it notices.
        await resultWithin(
          probeMs,
          client.end().catch(() => undefined),
        )
      }
    },
  }
}

/** Polls for the lock: a statement waiting for a lock would look like a hanging server. */
async function connectAndLock(url: string): Promise<pg.Client> {
  const client = new pg.Client(probeConnectionOf(url, 'plumbline changes of traces'))
  client.on('error', () => undefined)
  try {
    await client.connect()
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
        traceChangesLock,
      ])
      if (rows[0]?.locked === true) return client
      await pause(retryMs)
    }
  } catch (cause) {
    void client.end().catch(() => undefined)
    throw new ControlStoreAway({ cause })
  }
}
