/** The jobs of an alert: one that checks it repeatedly, and a follow-up job for each firing. */
import { enqueueJobs } from '../jobs/enqueue-jobs.ts'
import type { Sql } from '../store/sql.ts'
import type { WorkspaceSql } from '../store/workspace.ts'

export const alertCheckKind = 'alert.check'
export const alertFiredKind = 'alert.fired'

/** Adds the job that checks an alert, due at once, unless it already exists. */
export const enqueueCheck = (
  sql: Sql,
  { workspaceId, alertId }: { readonly workspaceId: string; readonly alertId: string },
  now: Date,
): Promise<string[]> =>
  enqueueJobs(
    sql,
    [
      {
        id: `${alertCheckKind}/${alertId}`,
        workspaceId,
        kind: alertCheckKind,
        key: alertId,
        payload: { alertId },
        attemptsMax: undefined,
      },
    ],
    now,
  )

/** Makes the check of an alert due now; a running check is repeated at once. */
export async function checkNow(
  { sql, workspaceId }: WorkspaceSql,
  alertId: string,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE jobs SET due_at = CASE WHEN state = 'waiting' OR due_at < ${now.getTime()}
      THEN CAST(${now.getTime()} AS bigint) ELSE due_at + 1 END
    WHERE workspace_id = ${workspaceId} AND kind = ${alertCheckKind} AND job_key = ${alertId}
      AND state IN ('waiting', 'running')`
}

export async function deleteCheck({ sql, workspaceId }: WorkspaceSql, alertId: string): Promise<void> {
  await sql`
    DELETE FROM jobs
    WHERE workspace_id = ${workspaceId} AND kind = ${alertCheckKind} AND job_key = ${alertId}`
}

/** Enqueues the follow-up of a firing, in the transaction that records the event. */
export const enqueueFired = (
  sql: Sql,
  event: { readonly workspaceId: string; readonly eventId: string; readonly alertId: string },
  now: Date,
): Promise<string[]> =>
  enqueueJobs(
    sql,
    [
      {
        id: `${alertFiredKind}/${event.eventId}`,
        workspaceId: event.workspaceId,
        kind: alertFiredKind,
        payload: { eventId: event.eventId, alertId: event.alertId },
        attemptsMax: undefined,
      },
    ],
    now,
  )
