/**
 * The queue of notifications. It belongs to the installation. A node claims a notification under a lease; if it dies,
 * the notification is sent again under the same id. A channel receives the events of one alert in order.
 */
import type { ChannelType } from '@plumbline/contract'
import type { Database, Sql } from '../store/sql.ts'
import { type AlertEvent, type AlertEventRow, toAlertEvent } from './alert-event-rows.ts'

/** A claimed notification. */
export type DueNotification = {
  id: string
  workspaceId: string
  workspaceName: string
  channelId: string
  attempts: number
  event: AlertEvent
  /** Undefined if the channel was deleted or is disabled. */
  channel: { name: string; type: ChannelType; sealed: string } | undefined
}

export type NotificationQueue = ReturnType<typeof notificationQueue>

export function notificationQueue(database: Database) {
  const { sql } = database
  return {
    /** Claims due notifications, the longest overdue first, except those of busy channels. */
    begin: (by: Beginning) => database.transaction((tx) => begin(database, tx, by)),
    delivered: async (
      notification: DueNotification,
      { holder: leaseOwner, now }: { holder: string; now: Date },
    ) =>
      void (await sql`
        UPDATE notifications SET status = 'delivered', delivered_at = ${now.getTime()}, holder = '', problem = NULL
        WHERE id = ${notification.id} AND holder = ${leaseOwner} AND attempts = ${notification.attempts}`),
    /** Reschedules a failed delivery, or gives it up without a `dueAt`. */
    failed: async (
      notification: DueNotification,
      { holder: leaseOwner, problem, dueAt }: { holder: string; problem: string; dueAt: Date | undefined },
    ) =>
      void (await sql`
        UPDATE notifications SET status = ${dueAt === undefined ? 'failed' : 'waiting'}, holder = '',
          problem = ${problem}, due_at = ${dueAt?.getTime() ?? 0}
        WHERE id = ${notification.id} AND holder = ${leaseOwner} AND attempts = ${notification.attempts}`),
    /** Disables a channel whose receiver rejects notifications, until a user enables it again. */
    disable: (channelId: string, { problem, now }: { problem: string; now: Date }) =>
      database.transaction(async (tx) => {
        await tx`
          UPDATE channels SET disabled_at = ${now.getTime()}, problem = ${problem}
          WHERE id = ${channelId} AND disabled_at IS NULL`
        await tx`
          UPDATE notifications SET status = 'failed', holder = '', problem = ${problem}
          WHERE channel_id = ${channelId} AND status = 'waiting' AND holder = ''`
      }),
    /** Releases the leases of a node; the attempts do not count. */
    takeBack: async (leaseOwner: string, now: Date) =>
      void (await sql`
        UPDATE notifications SET holder = '', due_at = ${now.getTime()}, attempts = attempts - 1
        WHERE holder = ${leaseOwner} AND status = 'waiting'`),
    /** When the next notification is due; undefined if none waits. */
    nextDueMs: async (): Promise<number | undefined> => {
      const [row] = await sql<{ next: number | null }>`
        SELECT min(due_at) AS next FROM notifications WHERE status = 'waiting'`
      return row?.next ?? undefined
    },
  }
}

type Beginning = {
  readonly holder: string
  readonly limit: number
  readonly busyChannels: readonly string[]
  readonly lostAt: Date
  readonly now: Date
}

async function begin(
  database: Database,
  sql: Sql,
  { holder: leaseOwner, limit, busyChannels, lostAt: leaseExpiresAt, now }: Beginning,
): Promise<DueNotification[]> {
  // An empty list becomes NULL, and NOT IN (NULL) would match nothing.
  const busy = ['', ...busyChannels]
  const due =
    database.engine === 'PostgreSQL'
      ? await sql<{ id: string }>`
          SELECT n.id FROM notifications n
          WHERE n.status = 'waiting' AND n.due_at <= ${now.getTime()} AND n.channel_id NOT IN (${busy})
            AND NOT EXISTS (
              SELECT 1 FROM notifications e
              WHERE e.alert_id = n.alert_id AND e.channel_id = n.channel_id AND e.status = 'waiting'
                AND e.ordinal < n.ordinal)
          ORDER BY n.due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`
      : await sql<{ id: string }>`
          SELECT n.id FROM notifications n
          WHERE n.status = 'waiting' AND n.due_at <= ${now.getTime()} AND n.channel_id NOT IN (${busy})
            AND NOT EXISTS (
              SELECT 1 FROM notifications e
              WHERE e.alert_id = n.alert_id AND e.channel_id = n.channel_id AND e.status = 'waiting'
                AND e.ordinal < n.ordinal)
          ORDER BY n.due_at LIMIT ${limit}`
  const ids = due.map(({ id }) => id)
  if (ids.length === 0) return []
  await sql`
    UPDATE notifications SET holder = ${leaseOwner}, due_at = ${leaseExpiresAt.getTime()}, attempts = attempts + 1
    WHERE id IN (${ids})`
  const rows = await sql<
    AlertEventRow & {
      notification_id: string
      channel_id: string
      attempts: number
      workspace_name: string
      channel_name: string | null
      channel_type: ChannelType
      sealed: string
    }
  >`
    SELECT n.id AS notification_id, n.channel_id, n.attempts, w.name AS workspace_name, c.name AS channel_name,
      c.type AS channel_type, c.sealed, e.id, e.workspace_id, e.alert_id, e.type, e.reason, e.at, e.value, e.samples,
      e.alert, e.created_at
    FROM notifications n JOIN alert_events e ON e.id = n.event_id JOIN workspaces w ON w.id = n.workspace_id
    LEFT JOIN channels c ON c.id = n.channel_id AND c.disabled_at IS NULL
    WHERE n.id IN (${ids}) ORDER BY n.id`
  return rows.map((row) => ({
    id: row.notification_id,
    workspaceId: row.workspace_id,
    workspaceName: row.workspace_name,
    channelId: row.channel_id,
    attempts: row.attempts,
    event: toAlertEvent(row),
    channel:
      row.channel_name === null
        ? undefined
        : { name: row.channel_name, type: row.channel_type, sealed: row.sealed },
  }))
}
