import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { ControlStoreAway } from '../errors.ts'
import { emptyDatabase } from '../testing.ts'
import { openPostgres } from './postgres.ts'
import type { Sql } from './sql.ts'
import { startRelay } from './testing-relay.ts'

test('a connection cut during a statement is reported as away, and the next statement gets another', async () => {
  const place = await emptyDatabase()
  assert.ok('url' in place.location)
  const database = openPostgres(place.location.url)
  const cutConnection = (sql: Sql) => sql`SELECT pg_terminate_backend(pg_backend_pid())`
  await assert.rejects(cutConnection(database.sql), ControlStoreAway)
  await assert.rejects(database.transaction(cutConnection), ControlStoreAway)
  const [row] = await database.sql<{ answer: number }>`SELECT CAST(1 AS bigint) AS answer`
  assert.equal(row?.answer, 1)
  await database.close()
  await assert.rejects(database.sql`SELECT 1`, ControlStoreAway)
  await place.remove()
})

test('a server that refuses the database or times out a statement is reported as away', async () => {
  const place = await emptyDatabase()
  assert.ok('url' in place.location)
  const elsewhere = new URL(place.location.url)
  elsewhere.pathname = '/nowhere'
  const missing = openPostgres(elsewhere.href)
  await assert.rejects(missing.sql`SELECT 1`, ControlStoreAway)
  await missing.close()
  const database = openPostgres(place.location.url)
  const waitTooLong = async (sql: Sql) => {
    await sql`SET LOCAL statement_timeout = 20`
    await sql`SELECT pg_sleep(60)`
  }
  await assert.rejects(database.transaction(waitTooLong), ControlStoreAway)
  await database.close()
  await place.remove()
})

test('a hanging server fails running calls, and later ones at once until it responds', async () => {
  const place = await emptyDatabase()
  assert.ok('url' in place.location)
  const relay = await startRelay(place.location.url)
  const database = openPostgres(relay.url)
  await database.sql`CREATE TABLE names (name text PRIMARY KEY)`
  await assert.rejects(
    database.transaction(async (sql) => {
      await sql`INSERT INTO names (name) VALUES ('before')`
      relay.hang()
      await sql`INSERT INTO names (name) VALUES ('while it hangs')`
    }),
    ControlStoreAway,
  )
  const isReached = relay.connectionCount()
  for (let call = 0; call < 100; call++) await assert.rejects(database.sql`SELECT 1`, ControlStoreAway)
  assert.ok(relay.connectionCount() - isReached <= 1, 'one probe at most')

  relay.resume()
  const names = () => database.sql<{ name: string }>`SELECT name FROM names`
  assert.deepEqual(await eventually(names), [])
  await database.close()
  await relay.stop()
  await place.remove()
})

test('one of two deadlocked transactions fails as if the store were away, and succeeds when repeated', async () => {
  const place = await emptyDatabase()
  assert.ok('url' in place.location)
  const database = openPostgres(place.location.url)
  await database.sql`CREATE TABLE counts (name text PRIMARY KEY, count bigint NOT NULL)`
  await database.sql`INSERT INTO counts (name, count) VALUES ('a', 0), ('b', 0)`
  const increment = (sql: Sql, name: string) => sql`UPDATE counts SET count = count + 1 WHERE name = ${name}`
  const hold = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
  const incrementBoth = async (first: 'a' | 'b', second: 'a' | 'b') =>
    database.transaction(async (sql) => {
      await increment(sql, first)
      hold[first].resolve()
      await hold[second].promise
      await increment(sql, second)
    })
  const outcomes = await Promise.allSettled([incrementBoth('a', 'b'), incrementBoth('b', 'a')])
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  assert.equal(failures.length, 1)
  assert.ok(failures[0] instanceof ControlStoreAway, String(failures[0]))
  await incrementBoth('a', 'b')
  assert.deepEqual(await database.sql<{ count: number }>`SELECT count FROM counts`, [
    { count: 2 },
    { count: 2 },
  ])
  await database.close()
  await place.remove()
})
