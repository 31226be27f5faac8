import pg from 'pg'
import { resultWithin } from '../../result-within.ts'
import { ControlStoreAway, OtherNodes, TransactionPooling } from '../errors.ts'
import { assertOwnSession } from './own-session.ts'
import { probeConnectionOf, probeMs } from './postgres-pool.ts'

/** An arbitrary advisory lock id that no other program uses in the same database. */
const nodeLock = 7_586_244_703
const retryMs = 5_000

interface NodeLockOptions {
  /** Whether no other node may use the database, since it would not see the traces of this one. */
  readonly isAlone: boolean
  /** Called if the lock was lost with its connection and another node has acquired it meanwhile. */
  readonly onConflict: () => void
}

export interface NodeLock {
  release(): Promise<void>
}

/**
 * Holds a PostgreSQL lock for the lifetime of the process, either shared by several nodes or exclusive. Throws
 * `OtherNodes` if another node's lock conflicts, and `TransactionPooling` if a pooler makes it impossible to hold one.
 */
export async function lockDatabase(url: string, options: NodeLockOptions): Promise<NodeLock> {
  let isReleased = false
  let timer: NodeJS.Timeout | undefined
  let connection = await assertOwnSession(url)
    .then(() => connectAndLock(url, options))
    .catch((cause: unknown) => {
      throw cause instanceof TransactionPooling ? cause : new ControlStoreAway({ cause })
    })
  const relock = async (): Promise<void> => {
    try {
      connection = await connectAndLock(url, options)
      if (!connection.isLocked) options.onConflict()
      watch()
    } catch {
      // The database is still away, which its readers and writers report.
      schedule()
    }
  }
  const schedule = (): void => {
    if (!isReleased) timer = setTimeout(() => void relock(), retryMs).unref()
  }
  const watch = (): void => void connection.client.once('end', schedule)
  if (!connection.isLocked) {
    await end(connection.client)
    throw new OtherNodes(options.isAlone)
  }
  watch()
  return {
    async release() {
      isReleased = true
      clearTimeout(timer)
      await end(connection.client)
    },
  }
}

/** Connects and locks, unless the lock of another node conflicts. The lock belongs to the connection. */
async function connectAndLock(
  url: string,
  { isAlone }: NodeLockOptions,
): Promise<{ readonly client: pg.Client; readonly isLocked: boolean }> {
  const client = new pg.Client(probeConnectionOf(url, 'plumbline lock'))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ locked: boolean }>(
      isAlone
        ? 'SELECT pg_try_advisory_lock($1) AS locked'
        : 'SELECT pg_try_advisory_lock_shared($1) AS locked',
      [nodeLock],
    )
    return { client, isLocked: rows[0]?.locked === true }
  } catch (error) {
    // Not awaited: a hanging server would not respond.
    void client.end().catch(() => undefined)
    throw error
  }
}

/** With a timeout, so that a hanging server does not keep the process from ending. */
const end = (client: pg.Client): Promise<void> => resultWithin(probeMs, client.end())
