import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { resultWithin } from '../../result-within.ts'
import { ControlStoreAway } from '../errors.ts'
import { probeConnectionOf, probeMs } from './postgres-pool.ts'

/** An arbitrary advisory lock id that no other program uses in the same database. */
const traceChangesLock = 7_586_244_704
const retryMs = 50

export interface NodeMutex {
  /** Runs work while no other node of the database does; rejects with `ControlStoreAway` before it began. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Excludes nodes from each other by a lock of PostgreSQL. Each work has a connection of its own, since one of the pool
 * could be what the work of another waits for. The lock ends with the connection: whoever loses it goes on, and may have
 * another node beside it.
 */
export function makeNodeMutex(url: string): NodeMutex {
  return {
    async runExclusive(work) {
      const client = await connectAndLock(url)
      try {
        return await work()
      } finally {
        // A server that hangs does not hear of it, and ends the connection when it notices.
        await resultWithin(
          probeMs,
          client.end().catch(() => undefined),
        )
      }
    },
  }
}

/** Asks again and again: a statement that waits for a lock looks like a server that hangs. */
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
