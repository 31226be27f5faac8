/** The operator's finding: a lock that expires under a long ALTER lets two processes migrate at once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../../fixtures/eventually.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import type { Clients } from './clients.ts'
import { withMigrationLock } from './migration-lock.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

const never = 1e9
const times = { expiryMs: 60_000, renewalMs: 5, pollIntervalMs: 5 }

/** The locks with their leases, by name. */
const locks = (): Promise<{ name: string; lease: string }[]> =>
  clients.read(
    `SELECT name, comment AS lease FROM system.tables
     WHERE database = currentDatabase() AND startsWith(name, 'migration_lock') ORDER BY name`,
    {},
  )

async function expireLock(): Promise<void> {
  const [lock] = await locks()
  await clients.command(`ALTER TABLE ${lock!.name} MODIFY COMMENT '1'`)
}

test('a migrating process renews its lease, so that it outlives a statement of any length', async () => {
  await withMigrationLock(
    clients,
    async () => {
      // As if the lease had not been renewed in time.
      await expireLock()
      await eventually(async () => assert.match((await locks())[0]!.lease, /^[0-9]{13}$/))
    },
    times,
  )
  assert.deepEqual(await locks(), [])
})

test('a second process waits for the first, and takes over once the lease has expired', async () => {
  const events: string[] = []
  const stopped = Promise.withResolvers<void>()
  const first = withMigrationLock(
    clients,
    async () => {
      events.push('first')
      await stopped.promise
    },
    { ...times, renewalMs: never },
  )
  await eventually(async () => assert.deepEqual(events, ['first']))
  const second = withMigrationLock(
    clients,
    async () => {
      events.push('second')
      // The first continues late: it neither renews nor releases a lock that it no longer owns.
      const own = await locks()
      stopped.resolve()
      await first
      assert.deepEqual(await locks(), own)
    },
    { ...times, renewalMs: never },
  )
  assert.deepEqual(events, ['first'])
  await expireLock()
  await second
  assert.deepEqual(events, ['first', 'second'])
  assert.deepEqual(await locks(), [])
})

test('of two processes waiting for the lock of a dead one, one takes over and the other waits for it', async () => {
  await clients.command(`CREATE TABLE migration_lock_dead (held UInt8) ENGINE = Memory COMMENT '1'`)
  const isAboutToDrop = Promise.withResolvers<void>()
  const firstIsIn = Promise.withResolvers<void>()
  let reads = 0
  const late: Clients = {
    ...clients,
    read(...input) {
      reads += 1
      return clients.read(...input)
    },
    async command(sql, ...rest) {
      if (sql.startsWith('DROP')) {
        isAboutToDrop.resolve()
        await firstIsIn.promise
        reads = 0
      }
      await clients.command(sql, ...rest)
    },
  }
  let running = 0
  const enter = (): void => {
    running += 1
    assert.equal(running, 1)
  }
  const second = withMigrationLock(
    late,
    async () => {
      enter()
      running -= 1
    },
    times,
  )
  await isAboutToDrop.promise
  await withMigrationLock(
    clients,
    async () => {
      enter()
      firstIsIn.resolve()
      await eventually(async () => assert.ok(reads > 5))
      running -= 1
    },
    times,
  )
  await second
  assert.deepEqual(await locks(), [])
})

test('several processes that start at once migrate one after another', async () => {
  const size = 5
  const haveAllCreated = Promise.withResolvers<void>()
  let created = 0
  /** Waits after creating its lock until each process has created one, as if none had seen another's. */
  const simultaneous = (): Clients => {
    let isFirst = true
    return {
      ...clients,
      async command(sql, ...rest) {
        await clients.command(sql, ...rest)
        if (!isFirst || !sql.startsWith('CREATE')) return
        isFirst = false
        created += 1
        if (created === size) haveAllCreated.resolve()
        await haveAllCreated.promise
      },
    }
  }
  let running = 0
  let count = 0
  await Promise.all(
    Array.from({ length: size }, () =>
      withMigrationLock(
        simultaneous(),
        async () => {
          running += 1
          await pause(1)
          assert.equal(running, 1)
          running -= 1
          count += 1
        },
        { ...times, expiryMs: never, renewalMs: never },
      ),
    ),
  )
  assert.equal(count, size)
})
