/**
 * One process migrates at a time. ClickHouse has no locks, but only one process can create a table: the lock is one, and
 * its comment has the lease, by the engine's clock. Its owner renews the lease, however long a statement takes; a lock
 * whose owner died expires.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clients } from './clients.ts'
import { TraceStoreUnavailable } from './errors.ts'

export interface LeaseTimes {
  readonly expiryMs: number
  readonly renewalMs: number
  readonly pollIntervalMs: number
}

const leaseTimes: LeaseTimes = { expiryMs: 60_000, renewalMs: 15_000, pollIntervalMs: 100 }
const tableExists = '57'

export async function withMigrationLock(
  clients: Clients,
  work: () => Promise<void>,
  times: LeaseTimes = leaseTimes,
): Promise<void> {
  const owner = randomUUID()
  while (!(await acquire(clients, owner))) {
    const lock = await findLock(clients)
    if (lock !== undefined && lock.ageMs > times.expiryMs) await dropLock(clients)
    else await pause(times.pollIntervalMs)
  }
  const renewal = setInterval(() => {
    // One that fails is repeated long before the lease expires.
    renew(clients, owner).catch(() => undefined)
  }, times.renewalMs)
  try {
    await work()
  } finally {
    clearInterval(renewal)
    await release(clients, owner)
  }
}

/** Removes a lock that nobody can hold. */
export const dropLock = (clients: Clients): Promise<void> =>
  clients.command('DROP TABLE IF EXISTS migration_lock')

interface Lock {
  readonly owner: string
  readonly ageMs: number
}

async function acquire(clients: Clients, owner: string): Promise<boolean> {
  try {
    await clients.command(
      `CREATE TABLE migration_lock (held UInt8) ENGINE = Memory COMMENT '${await lease(clients, owner)}'`,
    )
    return true
  } catch (error) {
    if (error instanceof TraceStoreUnavailable && error.code === tableExists) return false
    throw error
  }
}

async function renew(clients: Clients, owner: string): Promise<void> {
  if ((await findLock(clients))?.owner === owner)
    await clients.command(`ALTER TABLE migration_lock MODIFY COMMENT '${await lease(clients, owner)}'`)
}

/** A process that was stopped for longer than the lease finds the lock of another. */
async function release(clients: Clients, owner: string): Promise<void> {
  if ((await findLock(clients))?.owner === owner) await dropLock(clients)
}

const lease = async (clients: Clients, owner: string): Promise<string> =>
  `${await engineTimeMs(clients)} ${owner}`

async function engineTimeMs(clients: Clients): Promise<string> {
  const [row] = await clients.read<{ ms: string }>(
    'SELECT toString(toUnixTimestamp64Milli(now64(3))) AS ms',
    {},
  )
  return row?.ms ?? ''
}

async function findLock(clients: Clients): Promise<Lock | undefined> {
  const [row] = await clients.read<{ lease: string; ms: string }>(
    `SELECT comment AS lease, toString(toUnixTimestamp64Milli(now64(3))) AS ms FROM system.tables
     WHERE database = currentDatabase() AND name = 'migration_lock'`,
    {},
  )
  if (row === undefined) return undefined
  const [since = '', owner = ''] = row.lease.split(' ')
  return { owner, ageMs: Number(row.ms) - Number(since) }
}
