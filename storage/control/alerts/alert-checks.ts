/**
 * Alerts as the checking job reads and changes them: across workspaces, since any node runs it. A result counts only if
 * the alert was not changed, and no other result recorded, since the alert was read.
 */
import type { Database, Sql } from '../store/sql.ts'
import { type AlertEvent, addEvent, addNotifications } from './alert-event-rows.ts'
import { alertCheckKind } from './alert-jobs.ts'
import { type Alert, type AlertRow, type AlertStatus, toAlert } from './alert-rows.ts'

/** An alert to check; `revision` grows with each result and each change. */
export type CheckedAlert = Alert & { workspaceId: string; revision: number; lastOrdinal: number }

/** The result of one check. */
export type AlertCheck = {
  readonly status: AlertStatus
  /** When the alert is checked next. */
  readonly nextAt: Date
  /** The change of state, if any. */
  readonly event: Pick<AlertEvent, 'type' | 'reason'> | undefined
  /** Whether to notify its channels of the last event. */
  readonly notifies: boolean
}

export type AlertChecks = ReturnType<typeof alertChecks>

export function alertChecks(database: Database) {
  const { sql } = database
  return {
    /** An alert with its state; undefined if it was deleted. By primary key. */
    find: (alertId: string) => find(sql, alertId),
    /** Stores a result with its event and notifications; false if the alert was changed or checked since. */
    record: (alert: CheckedAlert, check: AlertCheck, now: Date) =>
      database.transaction((tx) => record(tx, alert, check, now)),
    /** Records why the check failed. */
    recordProblem: async ({ id, revision }: CheckedAlert, problem: string) =>
      void (await sql`
        UPDATE alert_states SET problem = ${problem} WHERE alert_id = ${id} AND revision = ${revision}`),
    /** Gives imported alerts, which have neither, a state and the job that checks them. */
    adopt: (now: Date) => database.transaction((tx) => adopt(tx, now)),
    /** Deletes events older than the cutoff, with their notifications. */
    deleteEvents: (cutoff: Date) => database.transaction((tx) => deleteEvents(tx, cutoff)),
  }
}

async function find(sql: Sql, alertId: string): Promise<CheckedAlert | undefined> {
  const [row] = await sql<AlertRow & { workspace_id: string; revision: number; last_ordinal: number }>`
    SELECT a.id, a.workspace_id, a.name, a.note, a.rule, a.is_enabled, a.muted_until, a.created_at, s.state, s.since,
      s.recovering_since, s.notified, s.checked_at, s.value, s.samples, s.problem, s.recent, s.revision, s.last_ordinal
    FROM alerts a JOIN alert_states s ON s.alert_id = a.id WHERE a.id = ${alertId}`
  return (
    row && {
      ...toAlert(row),
      workspaceId: row.workspace_id,
      revision: row.revision,
      lastOrdinal: row.last_ordinal,
    }
  )
}

/** Runs in one transaction, so that a crash cannot separate the state, the event and the notifications. */
async function record(
  sql: Sql,
  alert: CheckedAlert,
  { status, event, notifies }: AlertCheck,
  now: Date,
): Promise<boolean> {
  const { workspaceId, id: alertId } = alert
  const ordinal = alert.lastOrdinal + (event === undefined ? 0 : 1)
  const [updated] = await sql<{ alert_id: string }>`
    UPDATE alert_states SET revision = revision + 1, state = ${status.state}, since = ${status.since.getTime()},
      recovering_since = ${status.recoveringSince?.getTime() ?? null}, notified = ${status.notified},
      last_ordinal = ${ordinal}, checked_at = ${status.checkedAt?.getTime() ?? null}, value = ${status.value ?? null},
      samples = ${status.samples}, problem = NULL, recent = ${JSON.stringify(status.recent)}
    WHERE alert_id = ${alertId} AND revision = ${alert.revision} RETURNING alert_id`
  if (updated === undefined) return false
  if (event !== undefined)
    await addEvent(
      sql,
      {
        workspaceId,
        alertId,
        ...event,
        at: status.checkedAt ?? now,
        value: status.value,
        samples: status.samples,
        alert: { name: alert.name, note: alert.note, rule: alert.rule },
      },
      { ordinal, now },
    )
  if (notifies) await addNotifications(sql, { workspaceId, alertId, ordinal, now })
  return true
}

async function adopt(sql: Sql, now: Date): Promise<void> {
  const nowMs = now.getTime()
  await sql`
    INSERT INTO alert_states (alert_id, workspace_id, revision, state, since, notified, last_ordinal, samples, recent)
    SELECT id, workspace_id, 0, 'ok', created_at, 'ok', 0, 0, '[]' FROM alerts
    WHERE NOT EXISTS (SELECT 1 FROM alert_states WHERE alert_id = alerts.id)
    ON CONFLICT (alert_id) DO NOTHING`
  // A job cancelled by an operator has this id too, and stays cancelled.
  await sql`
    INSERT INTO jobs (id, workspace_id, kind, job_key, concurrency_group, position, payload, state, due_at, attempts,
      lease_owner, created_at)
    SELECT ${alertCheckKind} || '/' || id, workspace_id, CAST(${alertCheckKind} AS text), id, '', 0,
      '{"alertId":"' || id || '"}', 'waiting', CAST(${nowMs} AS bigint), 0, '', CAST(${nowMs} AS bigint)
    FROM alerts WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = ${alertCheckKind} || '/' || alerts.id)
    ON CONFLICT DO NOTHING`
}

/** Keeps the last event of each alert, since a notification of it may still be due. */
async function deleteEvents(sql: Sql, cutoff: Date): Promise<void> {
  const old = await sql<{ id: string }>`
    SELECT e.id FROM alert_events e
    WHERE e.created_at < ${cutoff.getTime()}
      AND NOT EXISTS (SELECT 1 FROM alert_states s WHERE s.alert_id = e.alert_id AND s.last_ordinal = e.ordinal)
    ORDER BY e.created_at LIMIT 1000`
  const ids = old.map(({ id }) => id)
  await sql`DELETE FROM notifications WHERE event_id IN (${ids})`
  await sql`DELETE FROM alert_events WHERE id IN (${ids})`
}
