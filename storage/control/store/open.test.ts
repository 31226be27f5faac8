import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { catalogOf } from '../catalog-for-tests.ts'
import { ControlStoreAway, MigrationRefused, NotFound } from '../errors.ts'
import { engines, type Place } from '../testing.ts'
import { defaultWorkspaceId } from '../workspaces/installation.ts'
import { forEngine, type Migration, migrate } from './migrate.ts'
import { openControlStore } from './open.ts'
import { openPostgres } from './postgres.ts'
import type { Database } from './sql.ts'
import { openSqlite } from './sqlite.ts'

const now = new Date('2026-03-01T12:00:00Z')

for (const engine of engines) {
  describe(`opening the control store on ${engine.name}`, () => {
    let place: Place
    before(async () => {
      place = await engine.emptyPlace()
    })
    after(() => place.remove())

    test('several nodes that start at once on an empty database migrate it once', async () => {
      // Separate processes: two SQLite connections in one process would wait for each other on one thread.
      const revisions = await Promise.all([1, 2, 3].map(() => revisionsSeenByNewProcess(place)))
      assert.deepEqual(revisions, Array(3).fill([[defaultWorkspaceId, 0]]))
    })

    test('the migrations create the tables of schema.sql', async () => {
      const other = await engine.emptyPlace()
      const bySchema = open(other)
      const schema = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')
      await bySchema.migrate((_sql, script) => script(forEngine(schema, bySchema.engine)))
      const byMigrations = open(place)
      assert.deepEqual(
        await catalogOf(engine.name, byMigrations.sql),
        await catalogOf(engine.name, bySchema.sql),
      )
      await Promise.all([bySchema.close(), byMigrations.close()])
      await other.remove()
    })

    test('a change in a workspace bumps its revision, and the ledger and idempotency keys do not', async () => {
      const store = await openControlStore(place.location)
      const { id } = await store.createWorkspace({ name: 'Moved' })
      const workspace = store.scopedTo({ workspaceId: id })
      await workspace.features.create({ slug: 'one', name: 'One' }, now)
      await workspace.ledger.add(null, [{ apiKeyId: 'key', time: now, stored: 1 }], now)
      await workspace.idempotency.claim({ apiKeyId: 'key', route: 'r', key: 'k', bodyHash: 'h' }, now)
      const revisions = await store.revisions()
      assert.equal(revisions.get(id), 1)
      assert.equal(revisions.get(defaultWorkspaceId), 0)
      await store.close()
    })

    test('a refused change does not bump the revision', async () => {
      const store = await openControlStore(place.location)
      const { id } = await store.createWorkspace({ name: 'Refused' })
      const workspace = store.scopedTo({ workspaceId: id })
      await assert.rejects(workspace.prompts.archive('unknown', now), NotFound)
      assert.equal((await store.revisions()).get(id), 0)
      await store.close()
    })

    test('nothing is written in a workspace that does not exist', async () => {
      const store = await openControlStore(place.location)
      const nowhere = store.scopedTo({ workspaceId: 'nowhere' })
      await assert.rejects(nowhere.features.create({ slug: 'a', name: 'A' }, now), NotFound)
      await store.close()
    })

    test('a secret is created once, even by concurrent requests', async () => {
      const store = await openControlStore(place.location)
      const answers = await Promise.all(['a', 'b', 'c'].map((value) => store.secret('uploads', () => value)))
      assert.equal(new Set(answers).size, 1)
      assert.equal(await store.secret('uploads', () => assert.fail('It is there already.')), answers[0])
      await store.close()
    })

    test('a closed store is reported as away', async () => {
      const store = await openControlStore(place.location)
      await store.close()
      await assert.rejects(store.revisions(), ControlStoreAway)
    })
  })

  describe(`migrations on ${engine.name}`, () => {
    const first = migration(1, 'CREATE TABLE one (id text PRIMARY KEY)')
    const second = migration(2, "CREATE TABLE two (id text PRIMARY KEY); INSERT INTO two (id) VALUES ('x')")
    let place: Place
    let database: Database
    before(async () => {
      place = await engine.emptyPlace()
      database = open(place)
    })
    after(async () => {
      await database.close()
      await place.remove()
    })

    test('a later migration is applied to existing data, and an applied one is not repeated', async () => {
      await migrate(database, [first], now)
      await migrate(database, [first, second], now)
      await migrate(database, [first, second], now)
      assert.equal((await database.sql`SELECT id FROM two`).length, 1)
    })

    test('a migration that fails leaves nothing behind', async () => {
      const broken = migration(3, 'CREATE TABLE three (id text PRIMARY KEY); INSERT INTO nowhere VALUES (1)')
      await assert.rejects(migrate(database, [first, second, broken], now))
      await migrate(database, [first, second, migration(3, 'CREATE TABLE three (id text)')], now)
    })

    test('a migration whose number is below that of an applied one is applied', async () => {
      const third = migration(3, 'CREATE TABLE three (id text)')
      const fifth = migration(5, 'CREATE TABLE five (id text)')
      const fourth = migration(4, 'CREATE TABLE four (id text)')
      await migrate(database, [first, second, third, fifth], now)
      await migrate(database, [first, second, third, fourth, fifth], now)
      assert.deepEqual(await database.sql`SELECT id FROM four`, [])
    })

    test('a database from a newer version is refused', async () => {
      await assert.rejects(migrate(database, [first], now), (error) => {
        assert.ok(error instanceof MigrationRefused)
        assert.match(error.message, /newer version of Plumbline \(0002_test\.sql\)/)
        return true
      })
    })

    test('a migration that changed after it was applied is refused', async () => {
      const changed = { ...second, checksum: 'other' }
      await assert.rejects(migrate(database, [first, changed], now), MigrationRefused)
    })
  })
}

test('a missing PostgreSQL server is reported as away', async () => {
  // Port 1 is never a PostgreSQL server.
  await assert.rejects(openControlStore({ url: 'postgres://nobody@127.0.0.1:1/none' }), ControlStoreAway)
})

test('a file that cannot be created is reported as away', async () => {
  await assert.rejects(openControlStore({ file: '/nowhere/at/all.db' }), ControlStoreAway)
})

function open({ location }: Place): Database {
  return 'file' in location ? openSqlite(location.file) : openPostgres(location.url)
}

async function revisionsSeenByNewProcess({ location }: Place): Promise<unknown> {
  const program = `
    const { openControlStore } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url))})
    const store = await openControlStore(${JSON.stringify(location)})
    console.log(JSON.stringify([...(await store.revisions())]))
    await store.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  return JSON.parse(stdout)
}

function migration(number: number, text: string): Migration {
  const name = `${String(number).padStart(4, '0')}_test.sql`
  return { number, name, text, checksum: `of ${name}` }
}
