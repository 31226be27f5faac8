import pg from 'pg'
import { ControlStoreAway, OtherNodes } from '../errors.ts'
import { connectionOf } from './postgres-pool.ts'

/** An arbitrary advisory lock id that no other program uses in the same database. */
const nodeLock = 7_586_244_703
const retryMs = 5_000

interface NodeLockOptions {
  /** Whether no other node may use the database, since it would not see the traces of this one. */
  readonly isAlone: boolean
  /** Called when the lock was lost with its connection, and another node has taken it meanwhile. */
  readonly onConflict: () => void
}

export interface NodeLock {
  release(): Promise<void>
}

/**
 * Holds a lock of PostgreSQL for as long as the process lives: any number of nodes, or one that is alone. Throws
 * `OtherNodes` if another node's lock does not allow it.
 */
export async function lockDatabase(url: string, options: NodeLockOptions): Promise<NodeLock> {
  let isReleased = false
  let timer: NodeJS.Timeout | undefined
  let client = await connect(url).catch((cause: unknown) => {
    throw new ControlStoreAway({ cause })
  })
  const lockAgain = async (): Promise<void> => {
    try {
      client = await connect(url)
      if (!(await lock(client, options))) options.onConflict()
      watch()
    } catch {
      // The database is still away; whoever reads or writes there reports it.
      schedule()
    }
  }
  const schedule = (): void => {
    if (!isReleased) timer = setTimeout(() => void lockAgain(), retryMs).unref()
  }
  const watch = (): void => void client.once('end', schedule)
  if (!(await lock(client, options))) {
    await client.end()
    throw new OtherNodes(options.isAlone)
  }
  watch()
  return {
    async release() {
      isReleased = true
      clearTimeout(timer)
      await client.end()
    },
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionOf(url, 'plumbline lock'))
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function lock(client: pg.Client, { isAlone }: NodeLockOptions): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    isAlone
      ? 'SELECT pg_try_advisory_lock($1) AS locked'
      : 'SELECT pg_try_advisory_lock_shared($1) AS locked',
    [nodeLock],
  )
  return rows[0]?.locked === true
}
