/** The operator's finding: a lock that expires under a long ALTER lets two processes migrate at once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
const setLease = (lease: string) => clients.command(`ALTER TABLE migration_lock MODIFY COMMENT '${lease}'`)
const lock = async (): Promise<string | undefined> => {
  const [row] = await clients.read<{ comment: string }>(
    `SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = 'migration_lock'`,
    {},
  )
  return row?.comment
}

test('whoever migrates renews the lease, so that it outlives a statement of any length', async () => {
  await withMigrationLock(
    clients,
    async () => {
      const [, owner] = (await lock())!.split(' ')
      // As if no renewal had come for as long as a lease.
      await setLease(`1 ${owner}`)
      await eventually(async () => assert.match((await lock())!, new RegExp(`^[0-9]{13} ${owner}$`)))
    },
    times,
  )
  assert.equal(await lock(), undefined)
})

test('a second process waits for the first, and takes over where the lease has expired', async () => {
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
      // The first goes on late: it neither renews nor releases what is no longer its own.
      const own = await lock()
      stopped.resolve()
      await first
      assert.equal(await lock(), own)
    },
    { ...times, renewalMs: never },
  )
  const [, owner] = (await lock())!.split(' ')
  assert.deepEqual(events, ['first'])
  await setLease(`1 ${owner}`)
  await second
  assert.deepEqual(events, ['first', 'second'])
  assert.equal(await lock(), undefined)
})
