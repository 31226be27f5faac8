/** Work that was waiting in separate tables continues as jobs after an upgrade, without loss. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { migrate, migrationsIn } from '../store/migrate.ts'
import { openControlStore } from '../store/open.ts'
import { openPostgres } from '../store/postgres.ts'
import type { Sql } from '../store/sql.ts'
import { openSqlite } from '../store/sqlite.ts'
import { engines } from '../testing.ts'
import { defaultWorkspaceId } from '../workspaces/installation.ts'

const now = new Date('2026-03-01T12:00:00Z')
const migrations = migrationsIn(new URL('../migrations/', import.meta.url))

for (const engine of engines) {
  /** A store from before a migration, opened by this version. */
  const upgrade = async (beforeMigration: number, fill: (sql: Sql) => Promise<void>) => {
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

  test(`a workspace deletion that had begun is finished by a job, on ${engine.name}`, async () => {
    const id = randomUUID()
    const { store, close } = await upgrade(15, async (sql) => {
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

  test(`a waiting notification is sent by a job with its id, on ${engine.name}`, async () => {
    const alert = { name: 'a', note: '', rule: {} }
    const { store, close } = await upgrade(17, async (sql) => {
      await sql`
        INSERT INTO alert_events (id, workspace_id, alert_id, ordinal, type, reason, at, samples, alert, heard_at,
          created_at)
        VALUES ('event', ${defaultWorkspaceId}, 'alert', 3, 'firing', 'threshold', 1, 1, ${JSON.stringify(alert)}, 1, 1)`
      const nowMs = now.getTime()
      const row = (id: string, status: string, leaseOwner: string, dueMs: number) => [
        ...[id, defaultWorkspaceId, 'alert', 'event', 3, `channel of ${id}`, 'Hook', status, 2, dueMs],
        ...[leaseOwner, 'No.', nowMs],
      ]
      await sql`
        INSERT INTO notifications (id, workspace_id, alert_id, event_id, ordinal, channel_id, channel_name, status,
          attempts, due_at, holder, problem, created_at)
        VALUES ${[
          row('waits', 'waiting', '', nowMs + 5000),
          row('is sent', 'waiting', 'a node', nowMs + 60_000),
          row('delivered', 'delivered', '', 0),
          row('failed', 'failed', '', 0),
        ]}`
    })
    const { items } = await store.jobs.list({ kind: 'notification.send' })
    assert.deepEqual(
      items.map(({ id, state, dueAt, attempts }) => [id, state, dueAt.getTime() - now.getTime(), attempts]),
      [
        ['waits', 'waiting', 5000, 2],
        ['is sent', 'waiting', 0, 2],
      ],
    )
    const [waiting] = items
    assert.deepEqual(
      [waiting?.payload, waiting?.concurrencyGroup, waiting?.workspaceId, waiting?.attemptsMax],
      [{ notificationId: 'waits' }, 'channel of waits', defaultWorkspaceId, 10],
    )
    assert.equal((await store.notifications.findUndelivered('waits'))?.event.id, 'event')
    const workspace = store.scopedTo({ workspaceId: defaultWorkspaceId })
    assert.equal(await workspace.alertEvents.retry('failed', now), true)
    assert.equal(await workspace.alertEvents.retry('delivered', now), false)
    await close()
  })

  test(`alert checks and the follow-up of a firing are done by jobs, on ${engine.name}`, async () => {
    const nowMs = now.getTime()
    const rule = JSON.stringify({ measure: 'traces' })
    const { store, close } = await upgrade(19, async (sql) => {
      for (const [id, leaseOwner] of [
        ['waits', ''],
        ['is checked', 'a node'],
      ] as const) {
        await sql`
          INSERT INTO alerts (id, workspace_id, name, note, rule, is_enabled, created_at)
          VALUES (${id}, ${defaultWorkspaceId}, ${id}, '', ${rule}, 1, ${nowMs})`
        await sql`
          INSERT INTO alert_standings (alert_id, workspace_id, next_at, holder, turn, state, since, told, last_ordinal,
            samples, recent)
          VALUES (${id}, ${defaultWorkspaceId}, ${nowMs + 9000}, ${leaseOwner}, 1, 'firing', ${nowMs}, 'ok', 0, 0,
            '[]')`
      }
      const event = (id: string, ordinal: number, heardAt: number | null) => [
        ...[id, defaultWorkspaceId, 'waits', ordinal, 'firing', 'threshold', 1, 1, '{}', heardAt, nowMs],
      ]
      await sql`
        INSERT INTO alert_events (id, workspace_id, alert_id, ordinal, type, reason, at, samples, alert, heard_at,
          created_at)
        VALUES ${[event('unheard', 1, null), event('heard', 2, nowMs)]}`
    })
    const checks = (await store.jobs.list({ kind: 'alert.check' })).items
    assert.deepEqual(checks.map(({ key, dueAt }) => [key, dueAt.getTime() - nowMs]).toSorted(), [
      ['is checked', 0],
      ['waits', 9000],
    ])
    const fired = (await store.jobs.list({ kind: 'alert.fired' })).items
    assert.deepEqual(
      fired.map(({ payload, workspaceId }) => [payload, workspaceId]),
      [[{ eventId: 'unheard', alertId: 'waits' }, defaultWorkspaceId]],
    )
    await store.alertChecks.adopt(now)
    assert.equal((await store.jobs.list({ kind: 'alert.check' })).items.length, 2)
    await close()
  })
}
