/** The audit log of the installation. There is one way to write an entry, and entries are deleted only by age. */

import { enqueueJobs } from '../jobs/enqueue-jobs.ts'
import type { NewJob } from '../jobs/job-rows.ts'
import type { PageRequest } from '../store/page.ts'
import type { Database, Sql } from '../store/sql.ts'
import { defaultWorkspaceId } from '../workspaces/installation.ts'
import { recoverIntents } from './audit-intents.ts'
import { type AuditFilters, findEntry, listEntries } from './audit-list.ts'
import { type AuditEntry, type AuditStates, insertEntry } from './audit-rows.ts'
import { type AuditWebhook, auditDaysDefault } from './audit-settings.ts'

export type AuditLog = ReturnType<typeof auditLog>

const dayMs = 86_400_000
/** Bounded, so that requests can run between two statements. */
const rowsPerStatement = 1000

/** Creates the job that sends an entry to the webhook of a workspace. */
export type NewForward = (entry: AuditEntry, webhookWorkspaceId: string) => NewJob

export function auditLog(database: Database) {
  const { sql } = database
  return {
    /**
     * Writes an entry in place of its intent; it is durable once this resolves. If entries are sent to a webhook, also
     * adds the job that sends it.
     */
    add: (entry: AuditEntry, states: AuditStates | undefined, newForward: NewForward): Promise<void> =>
      database.transaction(async (tx) => {
        await tx`DELETE FROM audit_intents WHERE id = ${entry.id}`
        if (await insertEntry(tx, entry, states)) await forward(tx, entry, newForward)
      }),
    /** Served by the primary key. */
    find: (id: string) => findEntry(sql, id),
    /** The webhook for the entries of a workspace, by primary key. */
    webhookOf: (workspaceId: string) => findWebhook(sql, workspaceId),
    /** Entries of all workspaces, of one, or of the installation (''). */
    list: (workspaceId: string | undefined, filters: AuditFilters & PageRequest) =>
      listEntries(sql, workspaceId, filters),
    /** Turns intents left from before the cutoff into entries; resolves with how many. */
    recover: (cutoff: Date, newForward: NewForward) =>
      recoverIntents(database, cutoff, (tx, entry) => forward(tx, entry, newForward)),
    /** Deletes entries older than the retention of their workspace. */
    expire: (now: Date) => expire(database, now),
  }
}

/** The webhook of the first workspace gets the entries of the installation. */
async function forward(sql: Sql, entry: AuditEntry, newForward: NewForward): Promise<void> {
  const workspaceId = entry.workspaceId === '' ? defaultWorkspaceId : entry.workspaceId
  if ((await findWebhook(sql, workspaceId)) === undefined) return
  await enqueueJobs(sql, [newForward(entry, workspaceId)], entry.time)
}

async function findWebhook(sql: Sql, workspaceId: string): Promise<AuditWebhook | undefined> {
  const [webhook] = await sql<AuditWebhook>`
    SELECT target, sealed FROM audit_webhooks WHERE workspace_id = ${workspaceId}`
  return webhook
}

async function expire(database: Database, now: Date): Promise<void> {
  const { sql } = database
  const workspaces = await sql<{ workspace_id: string }>`SELECT DISTINCT workspace_id FROM audit_entries`
  for (const { workspace_id: workspaceId } of workspaces) {
    const before = await expiryOf(sql, workspaceId, now)
    if (before === undefined) continue
    // The trigger allows only older entries to be deleted.
    await sql`
      INSERT INTO audit_retention (workspace_id, days, expired_before)
      VALUES (${workspaceId}, ${auditDaysDefault}, ${before})
      ON CONFLICT (workspace_id) DO UPDATE SET expired_before = excluded.expired_before`
    while ((await expireSome(database, workspaceId, before)) === rowsPerStatement);
  }
}

/** The first workspace's retention applies to the installation too. */
async function expiryOf(sql: Sql, workspaceId: string, now: Date): Promise<number | undefined> {
  const owner = workspaceId === '' ? defaultWorkspaceId : workspaceId
  const [row] = await sql<{
    days: number | null
  }>`SELECT days FROM audit_retention WHERE workspace_id = ${owner}`
  if (row?.days === null) return undefined
  return now.getTime() - (row?.days ?? auditDaysDefault) * dayMs
}

function expireSome(database: Database, workspaceId: string, cutoff: number): Promise<number> {
  return database.transaction(async (sql) => {
    const deleted = await sql<{ id: string }>`
      DELETE FROM audit_entries WHERE id IN (
        SELECT id FROM audit_entries WHERE workspace_id = ${workspaceId} AND created_at < ${cutoff}
        ORDER BY created_at LIMIT ${rowsPerStatement})
      RETURNING id`
    await sql`DELETE FROM audit_states WHERE entry_id IN (${deleted.map(({ id }) => id)})`
    return deleted.length
  })
}
