/** Maintenance of the evaluation queue: reclaims leases, fails overdue evaluations, deletes old ones, and counts. */

import type { Sql } from '../store/sql.ts'
import { noteFirstDue } from './claim-evaluations.ts'
import { type GroupKey, groupOf, noteDue } from './evaluation-groups.ts'

/** The most overdue evaluations of a group that fail per call. */
const failedPerGroupMax = 1000

/** The problem of an overdue evaluation; the reason follows it. */
export const lateProblem = 'It was not judged before its deadline.'

type GroupRow = { workspace_id: string; connection_id: string; model: string }

/** Releases the leases of a stopped node, or reclaims expired ones. */
export async function reclaim(
  sql: Sql,
  lease: { leaseOwner: string } | { expiredAt: Date },
  now: Date,
): Promise<void> {
  const nowMs = now.getTime()
  const rows =
    'leaseOwner' in lease
      ? await sql<GroupRow>`
          UPDATE evaluations SET status = 'waiting', due_at = ${nowMs}, changed_at = ${nowMs}
          WHERE status = 'running' AND lease_owner = ${lease.leaseOwner} RETURNING workspace_id, connection_id, model`
      : await sql<GroupRow>`
          UPDATE evaluations SET status = 'waiting', due_at = ${nowMs}, changed_at = ${nowMs},
            problem = 'The node that judged it went away.'
          WHERE status = 'running' AND due_at < ${lease.expiredAt.getTime()}
          RETURNING workspace_id, connection_id, model`
  await noteDue(
    sql,
    rows.map((row): GroupKey & { dueMs: number } => ({ ...groupOf(row), dueMs: nowMs })),
  )
}

/** Fails queued evaluations of each group that were due before a time; running ones are checked when they finish. True if there may be more. */
export async function failLate(sql: Sql, dueBefore: Date, now: Date): Promise<boolean> {
  const groups = await sql<GroupRow & { problem: string | null }>`
    SELECT workspace_id, connection_id, model, problem FROM evaluation_groups WHERE due_at < ${dueBefore.getTime()}`
  let isMore = false
  for (const { workspace_id: workspaceId, connection_id: connection, model, problem } of groups) {
    const late = await sql<{ id: string }>`
      SELECT id FROM evaluations
      WHERE workspace_id = ${workspaceId} AND connection_id = ${connection} AND model = ${model}
        AND status = 'waiting' AND due_at < ${dueBefore.getTime()}
      LIMIT ${failedPerGroupMax}`
    await sql`
      UPDATE evaluations SET status = 'failed', changed_at = ${now.getTime()},
        problem = ${`${lateProblem} ${problem ?? ''}`.trim()}
      WHERE id IN (${late.map(({ id }) => id)}) AND status = 'waiting'`
    await noteFirstDue(sql, { workspaceId, connection, model })
    isMore ||= late.length === failedPerGroupMax
  }
  return isMore
}

/** Finished evaluations are retained for a while, so that a replay of their records is recognized; by evaluations_by_status. */
export async function forget(
  sql: Sql,
  workspaceId: string,
  { endedCutoff: endedBefore, failedCutoff }: { readonly endedCutoff: Date; readonly failedCutoff: Date },
): Promise<void> {
  await sql`
    DELETE FROM evaluations
    WHERE workspace_id = ${workspaceId}
      AND ((status IN ('done', 'skipped') AND changed_at < ${endedBefore.getTime()})
        OR (status = 'failed' AND changed_at < ${failedCutoff.getTime()}))`
}

/** Deletes the spend of days before the cutoff. */
export const forgetSpend = async (sql: Sql, cutoff: Date): Promise<void> =>
  void (await sql`DELETE FROM evaluation_spend WHERE day < ${cutoff.getTime()}`)

/** Served by the indexes of unfinished evaluations, since there are far more finished ones. Arrivals count as waiting. */
export async function totals(sql: Sql): Promise<{ waiting: number; running: number; judged: number }> {
  const [waitingRow] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'waiting'`
  const [runningRow] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'running'`
  const [judgedRow] = await sql<Count>`SELECT count(*) AS count FROM evaluations WHERE status = 'judged'`
  const [arriving] = await sql<Count>`
    SELECT coalesce(sum(evaluations), 0) AS count FROM evaluation_arrivals`
  return {
    waiting: (waitingRow?.count ?? 0) + (arriving?.count ?? 0),
    running: runningRow?.count ?? 0,
    judged: judgedRow?.count ?? 0,
  }
}

type Count = { count: number }
