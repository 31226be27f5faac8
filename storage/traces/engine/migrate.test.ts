import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { openTraceStore } from '../open.ts'
import { openClients } from './clients.ts'
import { TraceStoreUnavailable } from './errors.ts'
import { currentSchema, migrate, readMigrations } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
const clients = openClients({ folder })
after(async () => {
  await clients.close()
  rmSync(folder, { recursive: true, force: true })
})

test('an empty store gets the tables of schema.sql, even from two processes at once', async () => {
  await Promise.all([migrate(clients), migrate(clients)])
  const schema = await currentSchema(clients)
  const file = new URL('../schema.sql', import.meta.url)
  if (hostEnvironment.UPDATE_SCHEMA === '1') writeFileSync(file, schema)
  assert.equal(schema, readFileSync(file, 'utf8'))
  const applied = await clients.read<{ name: string }>('SELECT name FROM migrations ORDER BY name', {})
  assert.deepEqual(
    applied.map(({ name }) => name),
    readMigrations().map(({ name }) => name),
  )
})

test('an existing store is left unchanged, and a migration edited afterwards is refused', async () => {
  await migrate(clients)
  const changed = readMigrations().map((migration) => ({ ...migration, checksum: 'another' }))
  await assert.rejects(migrate(clients, { migrations: changed }), /was changed after/)
})

test('a store that a newer version has migrated is refused', async () => {
  await clients.command(
    "INSERT INTO migrations (name, checksum, applied_at) VALUES ('9999_newer.sql', 'x', now64(3))",
  )
  await assert.rejects(migrate(clients), {
    name: 'TraceStoreNewer',
    message: /by a newer version of Plumbline \(9999_newer\.sql\): start that version/,
  })
  await clients.command("DELETE FROM migrations WHERE name = '9999_newer.sql'")
  await migrate(clients)
})

test('a lock that a dead process left in an embedded store blocks nothing', async () => {
  await clients.command(`CREATE TABLE migration_lock (held UInt8) ENGINE = Memory COMMENT '${Date.now()}'`)
  const [last] = readMigrations().slice(-1)
  await clients.command(`DELETE FROM migrations WHERE name = '${last?.name}'`)
  await migrate(clients, { isOurs: true })
  const names = await clients.read<{ name: string }>('SELECT name FROM migrations', {})
  assert.equal(names.length, readMigrations().length)
})

test('an unreachable server is reported as away', async () => {
  await assert.rejects(openTraceStore({ url: 'http://127.0.0.1:9' }), TraceStoreUnavailable)
})

test('a parameter with any text is returned unchanged', async () => {
  for (const text of [
    "'",
    '\\',
    "\\'",
    '\n\t\r\b\f\v',
    '\0',
    '\\N',
    '{x:String}',
    "'; DROP TABLE traces; --",
    '今😀',
    '\u2028',
  ]) {
    const rows = await clients.read('SELECT {text:String} AS one, {texts:Array(String)} AS many', {
      text,
      texts: [text, 'b'],
    })
    assert.deepEqual(rows, [{ one: text, many: [text, 'b'] }])
  }
})
