/** Work that waited in tables of their own when a service is upgraded goes on as jobs: none is lost. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { migrate, migrationsIn } from '../store/migrate.ts'
import { openControlStore } from '../store/open.ts'
import { openPostgres } from '../store/postgres.ts'
import type { Sql } from '../store/sql.ts'
import { openSqlite } from '../store/sqlite.ts'
import { engines } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const migrations = migrationsIn(new URL('../migrations/', import.meta.url))

for (const engine of engines) {
  /** A store as a version before a migration left it, opened by this version. */
  const upgraded = async (beforeMigration: number, fill: (sql: Sql) => Promise<void>) => {
    const place = await engine.emptyPlace()
    const { location } = place
    const database = 'file' in location ? openSqlite(location.file) : openPostgres(location.url)
    const former = migrations.filter(({ number }) => number < beforeMigration)
    await migrate(database, former, now)
    await fill(database.sql)
    await database.close()
    const store = await openControlStore(location)
    return { store, close: () => store.close().then(() => place.remove()) }
  }

  test(`a workspace whose deletion had begun is deleted by a job, on ${engine.name}`, async () => {
    const id = randomUUID()
    const { store, close } = await upgraded(15, async (sql) => {
      await sql`
        INSERT INTO workspaces (id, name, revision, deleting_at) VALUES (${id}, 'Half gone', 0, ${now.getTime()})`
    })
    const { items } = await store.jobs.list({})
    assert.deepEqual(
      items.map(({ kind, key, payload, state, dueAt, workspaceId }) => [
        ...[kind, key, payload, state, dueAt, workspaceId],
      ]),
      [['workspace.delete', id, { workspaceId: id }, 'waiting', now, undefined]],
    )
    await close()
  })
}
