import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import pg from 'pg'
import { ControlStoreAway } from '../errors.ts'
import { emptyDatabase } from '../testing.ts'
import { makeNodeMutex } from './node-mutex.ts'

test('one node works at a time, even after the work of another has failed', async (t) => {
  const place = await emptyDatabase()
  t.after(() => place.remove())
  assert.ok('url' in place.location)
  const { url } = place.location
  let running = 0
  const finished: number[] = []
  const work = (node: number) => async (): Promise<void> => {
    running += 1
    assert.equal(running, 1)
    for (let turn = 0; turn < 10; turn++) await pause()
    running -= 1
    finished.push(node)
    if (node === 0) throw new Error('It failed.')
  }
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, (_, node) => makeNodeMutex(url).runExclusive(work(node))),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(finished.toSorted(), [0, 1, 2, 3, 4])
})

test('a node whose connection is cut excludes no others, and one without PostgreSQL does not start', async (t) => {
  const place = await emptyDatabase()
  assert.ok('url' in place.location)
  const { url } = place.location
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  t.after(async () => {
    await admin.end()
    await place.remove()
  })
  await makeNodeMutex(url).runExclusive(async () => {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'plumbline changes of traces'`,
    )
    await makeNodeMutex(url).runExclusive(async () => {})
  })
  const nowhere = new URL(url)
  nowhere.port = '1'
  await assert.rejects(
    makeNodeMutex(nowhere.href).runExclusive(() => assert.fail('It began.')),
    ControlStoreAway,
  )
})
