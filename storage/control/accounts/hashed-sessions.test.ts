import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { migrate, migrationsIn } from '../store/migrate.ts'
import { openSqlite } from '../store/sqlite.ts'
import { engines } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const token = 'a-session-token-in-clear'
const secret = 'pl_a_secret_of_an_api_key_in_clear'

test('section 4 and M3: a store of an earlier version loses its tokens and secrets in clear, to the last byte', async () => {
  const place = await engines.find(({ name }) => name === 'SQLite')!.emptyPlace()
  // Safe: SQLite has a file.
  const { file } = place.location as { file: string }
  const migrations = migrationsIn(new URL('../migrations/', import.meta.url))
  const hashing = migrations.findIndex(({ name }) => name === '0013_hash_session_tokens.sql')
  const database = openSqlite(file)
  const { sql } = database
  await migrate(database, migrations.slice(0, hashing), now)
  await sql`
    INSERT INTO people (id, name, email, email_verified, created_at, updated_at)
    VALUES ('ada', 'Ada', 'ada@example.com', 1, 0, 0)`
  await sql`
    INSERT INTO person_sessions (id, person_id, token, expires_at, created_at, updated_at)
    VALUES ('one', 'ada', ${token}, 9999999999999, 0, 0)`
  await sql`
    INSERT INTO idempotent_requests (workspace_id, api_key_id, route, request_key, body_hash, response, created_at)
    VALUES ('default', 'key', 'keys.create', 'k', 'h', ${secret}, 0)`
  await migrate(database, migrations, now)
  assert.deepEqual(await sql`SELECT id FROM person_sessions`, [])
  assert.deepEqual(await sql`SELECT request_key FROM idempotent_requests`, [])
  assert.equal((await sql`SELECT id FROM people`).length, 1)
  // Closing the database moves the write-ahead log into the file.
  await database.close()
  const bytes = readFileSync(file)
  assert.ok(!bytes.includes(token))
  assert.ok(!bytes.includes(secret))
  await place.remove()
})
