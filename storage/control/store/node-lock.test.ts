import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../fixtures/eventually.ts'
import { ControlStoreAway, OtherNodes } from '../errors.ts'
import { emptyDatabase, type Place } from '../testing.ts'
import { lockDatabase } from './node-lock.ts'
import { startRelay } from './testing-relay.ts'

describe('the lock of a node', () => {
  let place: Place
  let url: string
  before(async () => {
    place = await emptyDatabase()
    assert.ok('url' in place.location)
    url = place.location.url
  })
  after(() => place.remove())
  const onConflict = (): void => assert.fail('No lock was lost.')

  it('is shared by any number of nodes that share all stores, and excludes a node that must be alone', async () => {
    const first = await lockDatabase(url, { isAlone: false, onConflict })
    const other = await lockDatabase(url, { isAlone: false, onConflict })
    await assert.rejects(lockDatabase(url, { isAlone: true, onConflict }), OtherNodes)
    await first.release()
    await assert.rejects(lockDatabase(url, { isAlone: true, onConflict }), /CLICKHOUSE_URL/)
    await other.release()
    await (await lockDatabase(url, { isAlone: true, onConflict })).release()
  })

  it('of a node that must be alone excludes every other', async () => {
    const alone = await lockDatabase(url, { isAlone: true, onConflict })
    await assert.rejects(lockDatabase(url, { isAlone: true, onConflict }), OtherNodes)
    await assert.rejects(lockDatabase(url, { isAlone: false, onConflict }), OtherNodes)
    await alone.release()
  })

  it('is acquired again after its connection was cut', { timeout: 60_000 }, async () => {
    const alone = await lockDatabase(url, { isAlone: true, onConflict })
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const owners = async (): Promise<number[]> =>
      (
        await admin.query<{ pid: number }>(
          `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        )
      ).rows.map(({ pid }) => pid)
    const [cut] = await owners()
    assert.ok(cut !== undefined)
    await admin.query('SELECT pg_terminate_backend($1)', [cut])
    await eventually(async () => {
      const [owner] = await owners()
      assert.ok(owner !== undefined && owner !== cut)
    })
    await assert.rejects(lockDatabase(url, { isAlone: true, onConflict }), OtherNodes)
    await alone.release()
    await admin.end()
  })

  it('does not wait for a hanging database, neither to lock nor to release', {
    timeout: 60_000,
  }, async () => {
    const relay = await startRelay(url)
    const first = await lockDatabase(relay.url, { isAlone: false, onConflict })
    relay.hangAt('pg_try_advisory_lock')
    await assert.rejects(lockDatabase(relay.url, { isAlone: false, onConflict }), ControlStoreAway)
    await first.release()
    await relay.stop()
  })

  it('needs the database', async () => {
    await assert.rejects(
      lockDatabase('postgres://127.0.0.1:1/none', { isAlone: true, onConflict }),
      ControlStoreAway,
    )
  })
})
