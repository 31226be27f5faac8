/**
 * Who looks at which alert when: of the installation, since any node looks at those of any workspace. A node that
 * claims an alert holds it for a time; what it found counts only if nobody has claimed or changed the alert since.
 */
import {
  type AlertEvent,
  type AlertEventRow,
  addEvent,
  addNotifications,
  toAlertEvent,
} from './alert-event-rows.ts'
import { type Alert, type AlertRow, type AlertStanding, toAlert } from './alert-rows.ts'
import type { Database, Sql } from './sql.ts'

/** An alert that a node looks at. */
export type ClaimedAlert = Alert & { workspaceId: string; turn: number; lastOrdinal: number }

/** What a look came to. */
export type AlertLook = {
  readonly standing: AlertStanding
  /** When it is looked at next. */
  readonly nextAt: Date
  /** What has happened, if something has. */
  readonly event: Pick<AlertEvent, 'type' | 'reason'> | undefined
  /** Whether its channels are told of the last event. */
  readonly tells: boolean
}

export type AlertWatch = ReturnType<typeof alertWatch>

export function alertWatch(database: Database) {
  const { sql } = database
  return {
    /** Claims alerts that are due, the longest first; what another node has just taken is passed over. */
    claim: (by: { holder: string; limit: number; lostAt: Date; now: Date }) =>
      database.transaction((tx) => claim(database, tx, by)),
    /** Writes down a look with all that follows of it; false where it counts no more. */
    settle: (of: ClaimedAlert, look: AlertLook, now: Date) =>
      database.transaction((tx) => settle(tx, of, look, now)),
    /** The look failed, and nothing is known. */
    postpone: async (of: ClaimedAlert, { problem, nextAt }: { problem: string; nextAt: Date }) =>
      void (await sql`
        UPDATE alert_standings SET holder = '', next_at = ${nextAt.getTime()}, problem = ${problem}
        WHERE alert_id = ${of.id} AND turn = ${of.turn}`),
    /** What a node of this name has begun is due again: it was stopped, or the process died. */
    takeBack: async (holder: string, now: Date) =>
      void (await sql`
        UPDATE alert_standings SET holder = '', next_at = ${now.getTime()}, turn = turn + 1
        WHERE holder = ${holder}`),
    /** Alerts that came from another place are watched from now on. */
    adopt: async (now: Date) =>
      void (await sql`
        INSERT INTO alert_standings (alert_id, workspace_id, next_at, holder, turn, state, since, told, last_ordinal,
          samples, recent)
        SELECT id, workspace_id, ${now.getTime()}, '', 0, 'ok', created_at, 'ok', 0, 0, '[]' FROM alerts
        WHERE NOT EXISTS (SELECT 1 FROM alert_standings WHERE alert_id = alerts.id)
        ON CONFLICT (alert_id) DO NOTHING`),
    /** When the next alert is due; undefined where there are none. */
    nextDueMs: async (): Promise<number | undefined> => {
      const [row] = await sql<{ next: number | null }>`SELECT min(next_at) AS next FROM alert_standings`
      return row?.next ?? undefined
    },
    /** Firings that the rest of the service has yet to act on. */
    unheard: async (limit: number): Promise<AlertEvent[]> => {
      const rows = await sql<AlertEventRow>`
        SELECT id, workspace_id, alert_id, type, reason, at, value, samples, alert, created_at FROM alert_events
        WHERE heard_at IS NULL ORDER BY created_at LIMIT ${limit}`
      return rows.map(toAlertEvent)
    },
    heard: async (eventId: string, now: Date) =>
      void (await sql`UPDATE alert_events SET heard_at = ${now.getTime()} WHERE id = ${eventId}`),
    /** Forgets what happened before, with the messages about it. */
    forget: (before: Date) => database.transaction((tx) => forget(tx, before)),
  }
}

async function claim(
  database: Database,
  sql: Sql,
  { holder, limit, lostAt, now }: { holder: string; limit: number; lostAt: Date; now: Date },
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
    UPDATE alert_standings SET holder = ${holder}, next_at = ${lostAt.getTime()}, turn = turn + 1
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

/** The standing, the event and the messages stand or fall together: no crash comes between them. */
async function settle(
  sql: Sql,
  of: ClaimedAlert,
  { standing, nextAt, event, tells }: AlertLook,
  now: Date,
): Promise<boolean> {
  const { workspaceId, id: alertId } = of
  const ordinal = of.lastOrdinal + (event === undefined ? 0 : 1)
  const [held] = await sql<{ alert_id: string }>`
    UPDATE alert_standings SET holder = '', next_at = ${nextAt.getTime()}, state = ${standing.state},
      since = ${standing.since.getTime()}, recovering_since = ${standing.recoveringSince?.getTime() ?? null},
      told = ${standing.told}, last_ordinal = ${ordinal}, checked_at = ${standing.checkedAt?.getTime() ?? null},
      value = ${standing.value ?? null}, samples = ${standing.samples}, problem = NULL,
      recent = ${JSON.stringify(standing.recent)}
    WHERE alert_id = ${alertId} AND turn = ${of.turn} RETURNING alert_id`
  if (held === undefined) return false
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
        alert: { name: of.name, note: of.note, rule: of.rule },
      },
      { ordinal, now },
    )
  if (tells) await addNotifications(sql, { workspaceId, alertId, ordinal, now })
  return true
}

/** The last event of an alert stays as long as the alert: it may have yet to be told. */
async function forget(sql: Sql, before: Date): Promise<void> {
  const old = await sql<{ id: string }>`
    SELECT e.id FROM alert_events e
    WHERE e.created_at < ${before.getTime()} AND e.heard_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM alert_standings s WHERE s.alert_id = e.alert_id AND s.last_ordinal = e.ordinal)
    ORDER BY e.created_at LIMIT 1000`
  const ids = old.map(({ id }) => id)
  await sql`DELETE FROM notifications WHERE event_id IN (${ids})`
  await sql`DELETE FROM alert_events WHERE id IN (${ids})`
}
