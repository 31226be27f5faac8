/**
 * Notifications as the sending job reads and changes them: across workspaces, since any node runs it. Their jobs hold
 * the schedule and the number of attempts.
 */
import type { ChannelType } from '@plumbline/contract'
import type { Database, Sql } from '../store/sql.ts'
import { type AlertEvent, type AlertEventRow, toAlertEvent } from './alert-event-rows.ts'
import { failNotificationJobs } from './notification-job.ts'

/** A notification to send. */
export type DueNotification = {
  id: string
  workspaceId: string
  workspaceName: string
  channelId: string
  event: AlertEvent
  /** Undefined if the channel was deleted or is disabled. */
  channel: { name: string; type: ChannelType; sealed: string } | undefined
}

export type Notifications = ReturnType<typeof notifications>

export function notifications(database: Database) {
  const { sql } = database
  return {
    /** An undelivered notification; undefined if it was delivered or deleted. By primary key. */
    findUndelivered: (id: string) => findUndelivered(sql, id),
    delivered: async (id: string, { attempts, now }: { attempts: number; now: Date }) =>
      void (await sql`
        UPDATE notifications SET status = 'delivered', delivered_at = ${now.getTime()}, problem = NULL,
          attempts = ${attempts}
        WHERE id = ${id}`),
    /** Records the last attempt, for the history: its job is deleted earlier. */
    failed: async (id: string, { attempts, problem }: { attempts: number; problem: string }) =>
      void (await sql`
        UPDATE notifications SET status = 'failed', problem = ${problem}, attempts = ${attempts}
        WHERE id = ${id} AND status <> 'delivered'`),
    /** Disables a channel whose receiver rejects notifications, until a user enables it again. */
    disableChannel: (
      { workspaceId, channelId }: Pick<DueNotification, 'workspaceId' | 'channelId'>,
      { problem, now }: { problem: string; now: Date },
    ) =>
      database.transaction(async (tx) => {
        await tx`
          UPDATE channels SET disabled_at = ${now.getTime()}, problem = ${problem}
          WHERE id = ${channelId} AND disabled_at IS NULL`
        await tx`
          UPDATE notifications SET status = 'failed', problem = ${problem}
          WHERE workspace_id = ${workspaceId} AND channel_id = ${channelId} AND status = 'waiting'`
        await failNotificationJobs(tx, { workspaceId, channelId, problem, now })
      }),
  }
}

async function findUndelivered(sql: Sql, id: string): Promise<DueNotification | undefined> {
  const [row] = await sql<
    AlertEventRow & {
      notification_id: string
      channel_id: string
      workspace_name: string
      channel_name: string | null
      channel_type: ChannelType
      sealed: string
    }
  >`
    SELECT n.id AS notification_id, n.channel_id, w.name AS workspace_name, c.name AS channel_name,
      c.type AS channel_type, c.sealed, e.id, e.workspace_id, e.alert_id, e.type, e.reason, e.at, e.value, e.samples,
      e.alert, e.created_at
    FROM notifications n JOIN alert_events e ON e.id = n.event_id JOIN workspaces w ON w.id = n.workspace_id
    LEFT JOIN channels c ON c.id = n.channel_id AND c.disabled_at IS NULL
    WHERE n.id = ${id} AND n.status <> 'delivered'`
  if (row === undefined) return undefined
  return {
    id: row.notification_id,
    workspaceId: row.workspace_id,
    workspaceName: row.workspace_name,
    channelId: row.channel_id,
    event: toAlertEvent(row),
    channel:
      row.channel_name === null
        ? undefined
        : { name: row.channel_name, type: row.channel_type, sealed: row.sealed },
  }
}
