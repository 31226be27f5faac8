/**
 * One process migrates at a time. ClickHouse has no locks: a process creates a table with a unique name, and holds the
 * lock once it sees no other such table. If two create theirs at the same time, at least one sees the other's. The
 * table comment stores the lease, by the engine's clock. The owner renews the lease however long a statement takes; the
 * lock of a dead owner expires. Dropping an expired lock drops that table only, never one created since.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clients } from './clients.ts'

export interface LeaseTimes {
  readonly expiryMs: number
  readonly renewalMs: number
  readonly pollIntervalMs: number
}

const leaseTimes: LeaseTimes = { expiryMs: 60_000, renewalMs: 15_000, pollIntervalMs: 100 }
const prefix = 'migration_lock'

export async function withMigrationLock(
  clients: Clients,
  work: () => Promise<void>,
  times: LeaseTimes = leaseTimes,
): Promise<void> {
  const name = `${prefix}_${randomUUID().replaceAll('-', '_')}`
  const renewal = setInterval(() => {
    // A failed renewal is repeated long before the lease expires.
    renew(clients, name).catch(() => undefined)
  }, times.renewalMs)
  try {
    await acquire(clients, name, times)
    await work()
  } finally {
    clearInterval(renewal)
    // If this process was suspended for longer than the lease, another one has already dropped the lock.
    await drop(clients, name)
  }
}

/** Removes locks when no other process can hold one. */
export async function dropLocks(clients: Clients): Promise<void> {
  for (const { name } of await listLocks(clients)) await drop(clients, name)
}

async function acquire(
  clients: Clients,
  name: string,
  { expiryMs, pollIntervalMs }: LeaseTimes,
): Promise<void> {
  for (;;) {
    const names = await dropExpired(clients, expiryMs)
    const others = names.filter((other) => other !== name)
    const isThere = names.includes(name)
    if (others.length === 0 && isThere) return
    if (others.length === 0) await create(clients, name)
    else {
      // If several wait for each other, the first by name stays.
      if (isThere && others.some((other) => other < name)) await drop(clients, name)
      await pause(pollIntervalMs)
    }
  }
}

/** The names of the locks that have not expired. */
async function dropExpired(clients: Clients, expiryMs: number): Promise<string[]> {
  const names: string[] = []
  for (const { name, ageMs } of await listLocks(clients))
    if (ageMs > expiryMs) await drop(clients, name)
    else names.push(name)
  return names
}

async function create(clients: Clients, name: string): Promise<void> {
  await clients.command(
    `CREATE TABLE ${name} (held UInt8) ENGINE = Memory COMMENT '${await engineTimeMs(clients)}'`,
  )
}

async function renew(clients: Clients, name: string): Promise<void> {
  await clients.command(`ALTER TABLE ${name} MODIFY COMMENT '${await engineTimeMs(clients)}'`)
}

const drop = (clients: Clients, name: string): Promise<void> =>
  clients.command(`DROP TABLE IF EXISTS ${name}`)

async function engineTimeMs(clients: Clients): Promise<string> {
  const [row] = await clients.read<{ ms: string }>(
    'SELECT toString(toUnixTimestamp64Milli(now64(3))) AS ms',
    {},
  )
  return row?.ms ?? ''
}

interface Lock {
  readonly name: string
  readonly ageMs: number
}

/** Includes locks of older versions, which all have the same name and store the owner after the time. */
async function listLocks(clients: Clients): Promise<Lock[]> {
  const rows = await clients.read<{ name: string; lease: string; ms: string }>(
    `SELECT name, comment AS lease, toString(toUnixTimestamp64Milli(now64(3))) AS ms FROM system.tables
     WHERE database = currentDatabase() AND startsWith(name, '${prefix}')`,
    {},
  )
  return rows.map(({ name, lease, ms }) => ({ name, ageMs: Number(ms) - Number(lease.split(' ', 1)[0]) }))
}
