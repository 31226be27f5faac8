import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { openControlStore } from '../store/open.ts'
import { openPostgres } from '../store/postgres.ts'
import type { Database } from '../store/sql.ts'
import { openSqlite } from '../store/sqlite.ts'
import { engines, forEachControlStore, type OpenedWorkspace } from '../testing.ts'
import { type AuditIntent, withAuditIntent } from './audit-intents.ts'
import type { NewForward } from './audit-log.ts'
import type { AuditEntry } from './audit-rows.ts'

const dayMs = 86_400_000
const now = new Date('2027-01-01T10:00:00.123Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs)

const entryOf = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id: randomUUID(),
  workspaceId: '',
  time: now,
  actor: { type: 'key', id: 'key', name: 'CI' },
  address: '127.0.0.1',
  userAgent: 'test',
  operation: 'features.create',
  resourceId: '',
  outcome: 'done',
  status: 201,
  problem: '',
  requestId: 'r',
  requestHash: '',
  ...fields,
})

const newForward: NewForward = ({ id }) => ({
  workspaceId: undefined,
  kind: 'audit.test',
  payload: id,
  attemptsMax: 1,
})

const intentOf = (fields: Partial<AuditEntry>): AuditIntent => ({
  entry: entryOf(fields),
  isWritten: false,
  isOver: false,
})

forEachControlStore('the audit log', (open) => {
  const entriesOf = async ({ workspace }: OpenedWorkspace) => (await workspace.auditEntries.list({})).items

  it('lists entries of the workspace, newest first, by each filter', async () => {
    const { store, workspace, workspaceId } = await open()
    const first = entryOf({ workspaceId, time: daysAgo(2), resourceId: 'chat' })
    const second = entryOf({
      workspaceId,
      time: daysAgo(1),
      operation: 'keys.delete',
      actor: { type: 'person', id: 'ada', name: 'Ada 100%' },
      outcome: 'refused',
    })
    const elsewhere = entryOf({ workspaceId: randomUUID() })
    for (const entry of [first, second, elsewhere]) await store.audit.add(entry, undefined, newForward)
    const idsBy = async (filters: Parameters<typeof workspace.auditEntries.list>[0]) =>
      (await workspace.auditEntries.list(filters)).items.map(({ id }) => id)
    assert.deepEqual(await idsBy({}), [second.id, first.id])
    assert.deepEqual(await idsBy({ from: daysAgo(1) }), [second.id])
    assert.deepEqual(await idsBy({ to: daysAgo(1) }), [first.id])
    assert.deepEqual(await idsBy({ actor: 'ada' }), [second.id])
    assert.deepEqual(await idsBy({ actor: '00%' }), [second.id])
    assert.deepEqual(await idsBy({ actor: '_da' }), [])
    assert.deepEqual(await idsBy({ operation: 'features.create' }), [first.id])
    assert.deepEqual(await idsBy({ resource: 'keys' }), [second.id])
    assert.deepEqual(await idsBy({ resourceId: 'chat' }), [first.id])
    assert.deepEqual(await idsBy({ outcome: 'refused' }), [second.id])
    const page = await workspace.auditEntries.list({ limit: 1 })
    assert.deepEqual(await idsBy({ limit: 1, after: page.next! }), [first.id])
    const everywhere = (await store.audit.list(undefined, {})).items.map(({ id }) => id)
    assert.ok([first, second, elsewhere].every(({ id }) => everywhere.includes(id)))
  })

  it('commits an intent with the first transaction of its request', async () => {
    const opened = await open()
    const { store, workspace, workspaceId } = opened
    const intent = intentOf({ workspaceId })
    await withAuditIntent(intent, () => workspace.features.create({ slug: 'chat', name: 'Chat' }, now))
    assert.equal(intent.isWritten, true)
    // The service stops here. Later, or on another node:
    assert.ok((await store.audit.recover(new Date(now.getTime() + 1), newForward)) > 0)
    const [entry] = await entriesOf(opened)
    assert.equal(entry?.id, intent.entry.id)
    assert.equal(entry?.outcome, 'interrupted')
    assert.deepEqual(entry?.time, now)
    // The entry that its request still writes comes too late.
    await store.audit.add(intent.entry, undefined, newForward)
    assert.equal((await entriesOf(opened)).length, 1)
  })

  it('commits an intent with a single-statement change as well', async () => {
    const opened = await open()
    const { store, workspace, workspaceId } = opened
    const [jobId = ''] = await store.jobs.enqueue(
      [{ workspaceId, kind: 'test', payload: null, attemptsMax: 1 }],
      now,
    )
    const intent = intentOf({ workspaceId })
    await withAuditIntent(intent, () => workspace.jobs.cancel(jobId, now))
    assert.equal(intent.isWritten, true)
    await store.audit.recover(new Date(now.getTime() + 1), newForward)
    assert.deepEqual(
      (await entriesOf(opened)).map(({ id }) => id),
      [intent.entry.id],
    )
    const unchanged = intentOf({ workspaceId })
    await withAuditIntent(unchanged, async () => {
      await workspace.features.find('chat')
      // The job is already cancelled.
      await workspace.jobs.cancel(jobId, now)
    })
    assert.equal(unchanged.isWritten, false)
    await store.audit.recover(new Date(now.getTime() + 1), newForward)
    assert.equal((await entriesOf(opened)).length, 1)
  })

  it('leaves no trace of a change that was rolled back', async () => {
    const opened = await open()
    const intent = intentOf({ workspaceId: opened.workspaceId })
    await assert.rejects(withAuditIntent(intent, () => opened.workspace.prompts.archive('unknown', now)))
    assert.equal(intent.isWritten, false)
    await opened.store.audit.recover(new Date(now.getTime() + 1), newForward)
    assert.deepEqual(await entriesOf(opened), [])
  })

  it('replaces the intent with the entry', async () => {
    const opened = await open()
    const intent = intentOf({ workspaceId: opened.workspaceId })
    await withAuditIntent(intent, () => opened.workspace.features.create({ slug: 'chat', name: 'Chat' }, now))
    const states = { before: undefined, after: '{"slug":"chat"}' }
    await opened.store.audit.add({ ...intent.entry, resourceId: 'chat' }, states, newForward)
    await opened.store.audit.recover(new Date(now.getTime() + 1), newForward)
    const entries = await entriesOf(opened)
    assert.deepEqual(entries, [{ ...intent.entry, resource: 'features', resourceId: 'chat', ...states }])
  })

  it('writes nothing in the name of a request that has ended', async () => {
    const opened = await open()
    const intent = intentOf({ workspaceId: opened.workspaceId })
    let late: (() => Promise<unknown>) | undefined
    await withAuditIntent(intent, async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const work = promise.then(() => opened.workspace.features.create({ slug: 'late', name: 'Late' }, now))
      late = () => {
        resolve()
        return work
      }
    })
    await late!()
    assert.equal(intent.isWritten, false)
  })

  it('deletes entries that are older than the retention, with their states, and no others', async () => {
    const opened = await open()
    const { store, workspace, workspaceId } = opened
    const states = { before: '{}', after: undefined }
    const [old, young] = [
      entryOf({ workspaceId, time: daysAgo(40) }),
      entryOf({ workspaceId, time: daysAgo(20) }),
    ]
    for (const entry of [old, young]) await store.audit.add(entry, states, newForward)
    await store.audit.expire(now)
    assert.equal((await entriesOf(opened)).length, 2)
    await workspace.auditSettings.change({ days: 30 }, now)
    await store.audit.expire(now)
    assert.deepEqual(
      (await entriesOf(opened)).map(({ id }) => id),
      [young.id],
    )
    await workspace.auditSettings.change({ days: null }, now)
    await store.audit.expire(new Date(now.getTime() + 10_000 * dayMs))
    assert.equal((await entriesOf(opened)).length, 1)
  })
})

for (const engine of engines) {
  describe(`audit entries on ${engine.name}`, () => {
    it('cannot be changed or deleted by any statement until they have expired', async (t) => {
      const place = await engine.emptyPlace()
      const store = await openControlStore(place.location)
      const database: Database =
        'file' in place.location ? openSqlite(place.location.file) : openPostgres(place.location.url)
      t.after(async () => {
        await database.close()
        await store.close()
        await place.remove()
      })
      const { sql } = database
      await store.audit.add(
        entryOf({ workspaceId: 'w', time: daysAgo(400) }),
        { before: '{}', after: '{}' },
        newForward,
      )
      await assert.rejects(sql`UPDATE audit_entries SET actor_id = 'other'`, /never changed/)
      await assert.rejects(sql`UPDATE audit_states SET before_state = NULL`, /never changed/)
      await assert.rejects(sql`DELETE FROM audit_entries`, /by their retention only/)
      if (engine.name === 'PostgreSQL') await assert.rejects(sql`TRUNCATE audit_entries`, /never changed/)
      await sql`INSERT INTO audit_retention (workspace_id, days, expired_before) VALUES ('w', 30, ${daysAgo(401).getTime()})`
      await assert.rejects(sql`DELETE FROM audit_entries`, /by their retention only/)
      assert.equal((await store.audit.list('w', {})).items.length, 1)
      await store.audit.expire(now)
      assert.equal((await store.audit.list('w', {})).items.length, 0)
    })
  })
}
