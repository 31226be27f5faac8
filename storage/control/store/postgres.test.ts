import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ControlStoreAway } from '../errors.ts'
import { emptyDatabase } from '../testing.ts'
import { openPostgres } from './postgres.ts'
import type { Sql } from './sql.ts'

test('a connection that is cut during a statement is away, and the next statement gets another', async () => {
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
