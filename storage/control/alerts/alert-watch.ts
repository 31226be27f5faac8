/**
 * The queue of alert evaluations. It belongs to the installation, since any node evaluates alerts of any workspace. A
 * node claims an alert under a lease; its result counts only if nobody has claimed or changed the alert since.
 */

import type { Database, Sql } from '../store/sql.ts'
import {
  type AlertEvent,
  type AlertEventRow,
  addEvent,
  addNotifications,
  toAlertEvent,
} from './alert-event-rows.ts'
import { type Alert, type AlertRow, type AlertStanding, toAlert } from './alert-rows.ts'

/** An alert that a node has claimed. */
export type ClaimedAlert = Alert & { workspaceId: string; turn: number; lastOrdinal: number }

/** The result of one evaluation. */
export type AlertLook = {
  readonly standing: AlertStanding
  /** When the alert is evaluated next. */
  readonly nextAt: Date
  /** The change of state, if any. */
  readonly event: Pick<AlertEvent, 'type' | 'reason'> | undefined
  /** Whether to notify its channels of the last event. */
  readonly tells: boolean
}

export type AlertWatch = ReturnType<typeof alertWatch>

export function alertWatch(database: Database) {
  const { sql } = database
  return {
    /** Claims due alerts, the longest overdue first; skips rows that another node is claiming. */
    claim: (by: { holder: string; limit: number; lostAt: Date; now: Date }) =>
      database.transaction((tx) => claim(database, tx, by)),
    /** Stores a result with its event and notifications; false if the claim is stale. */
    settle: (alert: ClaimedAlert, look: AlertLook, now: Date) =>
      database.transaction((tx) => settle(tx, alert, look, now)),
    /** The evaluation failed: records the problem and reschedules it. */
    postpone: async (alert: ClaimedAlert, { problem, nextAt }: { problem: string; nextAt: Date }) =>
      void (await sql`
        UPDATE alert_standings SET holder = '', next_at = ${nextAt.getTime()}, problem = ${problem}
        WHERE alert_id = ${alert.id} AND turn = ${alert.turn}`),
    /** Releases the leases of a node that stopped or died; its alerts are due now. */
    takeBack: async (leaseOwner: string, now: Date) =>
      void (await sql`
        UPDATE alert_standings SET holder = '', next_at = ${now.getTime()}, turn = turn + 1
        WHERE holder = ${leaseOwner}`),
    /** Schedules imported alerts, which have no state row yet. */
    adopt: async (now: Date) =>
      void (await sql`
        INSERT INTO alert_standings (alert_id, workspace_id, next_at, holder, turn, state, since, told, last_ordinal,
          samples, recent)
        SELECT id, workspace_id, ${now.getTime()}, '', 0, 'ok', created_at, 'ok', 0, 0, '[]' FROM alerts
        WHERE NOT EXISTS (SELECT 1 FROM alert_standings WHERE alert_id = alerts.id)
        ON CONFLICT (alert_id) DO NOTHING`),
    /** When the next alert is due; undefined if there are none. */
    nextDueMs: async (): Promise<number | undefined> => {
      const [row] = await sql<{ next: number | null }>`SELECT min(next_at) AS next FROM alert_standings`
      return row?.next ?? undefined
    },
    /** Unacknowledged events: the rest of the service has yet to handle them. */
    unheard: async (limit: number): Promise<AlertEvent[]> => {
      const rows = await sql<AlertEventRow>`
        SELECT id, workspace_id, alert_id, type, reason, at, value, samples, alert, created_at FROM alert_events
        WHERE heard_at IS NULL ORDER BY created_at LIMIT ${limit}`
      return rows.map(toAlertEvent)
    },
    heard: async (eventId: string, now: Date) =>
      void (await sql`UPDATE alert_events SET heard_at = ${now.getTime()} WHERE id = ${eventId}`),
    /** Deletes events older than the cutoff, with their notifications. */
    forget: (cutoff: Date) => database.transaction((tx) => forget(tx, cutoff)),
  }
}

async function claim(
  database: Database,
  sql: Sql,
  {
    holder: leaseOwner,
    limit,
    lostAt: leaseExpiresAt,
    now,
  }: { holder: string; limit: number; lostAt: Date; now: Date },
): Promise<ClaimedAlert[]> {
  const due =
    database.engine === 'PostgreSQL'
      ? await sql<{ alert_id: string }>`
          SELECT alert_id FROM alert_standings WHERE next_at <= ${now.getTime()}
          ORDER BY next_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`
      : await sql<{ alert_id: string }>`
          SELECT alert_id FROM alert_standings WHERE next_at <= ${now.getTime()} ORDER BY next_at LIMIT ${limit}`
  const ids = due.map(({ alert_id }) => alert_id)
  if (ids.length === 0) return []
  await sql`
    UPDATE alert_standings SET holder = ${leaseOwner}, next_at = ${leaseExpiresAt.getTime()}, turn = turn + 1
    WHERE alert_id IN (${ids})`
  const rows = await sql<AlertRow & { workspace_id: string; turn: number; last_ordinal: number }>`
    SELECT a.id, a.workspace_id, a.name, a.note, a.rule, a.is_enabled, a.muted_until, a.created_at, s.state, s.since,
      s.recovering_since, s.told, s.checked_at, s.value, s.samples, s.problem, s.recent, s.turn, s.last_ordinal
    FROM alerts a JOIN alert_standings s ON s.alert_id = a.id WHERE a.id IN (${ids}) ORDER BY a.id`
  return rows.map((row) => ({
    ...toAlert(row),
    workspaceId: row.workspace_id,
    turn: row.turn,
    lastOrdinal: row.last_ordinal,
  }))
}

/** Runs in one transaction, so that a crash cannot separate the state, the event and the notifications. */
async function settle(
  sql: Sql,
  alert: ClaimedAlert,
  { standing, nextAt, event, tells }: AlertLook,
  now: Date,
): Promise<boolean> {
  const { workspaceId, id: alertId } = alert
  const ordinal = alert.lastOrdinal + (event === undefined ? 0 : 1)
  const [updated] = await sql<{ alert_id: string }>`
    UPDATE alert_standings SET holder = '', next_at = ${nextAt.getTime()}, state = ${standing.state},
      since = ${standing.since.getTime()}, recovering_since = ${standing.recoveringSince?.getTime() ?? null},
      told = ${standing.told}, last_ordinal = ${ordinal}, checked_at = ${standing.checkedAt?.getTime() ?? null},
      value = ${standing.value ?? null}, samples = ${standing.samples}, problem = NULL,
      recent = ${JSON.stringify(standing.recent)}
    WHERE alert_id = ${alertId} AND turn = ${alert.turn} RETURNING alert_id`
  if (updated === undefined) return false
  if (event !== undefined)
    await addEvent(
      sql,
      {
        workspaceId,
        alertId,
        ...event,
        at: standing.checkedAt ?? now,
        value: standing.value,
        samples: standing.samples,
        alert: { name: alert.name, note: alert.note, rule: alert.rule },
      },
      { ordinal, now },
    )
  if (tells) await addNotifications(sql, { workspaceId, alertId, ordinal, now })
  return true
}

/** Keeps the last event of each alert: a notification of it may still be due. */
async function forget(sql: Sql, cutoff: Date): Promise<void> {
  const old = await sql<{ id: string }>`
    SELECT e.id FROM alert_events e
    WHERE e.created_at < ${cutoff.getTime()} AND e.heard_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM alert_standings s WHERE s.alert_id = e.alert_id AND s.last_ordinal = e.ordinal)
    ORDER BY e.created_at LIMIT 1000`
  const ids = old.map(({ id }) => id)
  await sql`DELETE FROM notifications WHERE event_id IN (${ids})`
  await sql`DELETE FROM alert_events WHERE id IN (${ids})`
}
