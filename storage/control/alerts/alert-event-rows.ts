/** Alert events and their notifications. Both are written in the transaction that changes the alert. */
import type { AlertRule, AlertEvent as Told } from '@plumbline/contract'
import { newId } from '../id.ts'
import type { Sql } from '../store/sql.ts'
import { enqueueFired } from './alert-jobs.ts'
import { enqueueNotifications } from './notification-job.ts'

/** The alert at the time of the event. */
export type AlertThen = { readonly name: string; readonly note: string; readonly rule: AlertRule }

export type AlertEvent = {
  id: string
  workspaceId: string
  alertId: string
  type: Told['type']
  reason: Told['reason']
  /** The end of the window that caused the event. */
  at: Date
  value: number | undefined
  samples: number
  alert: AlertThen
  /** When the event was detected. */
  createdAt: Date
}

export type NotificationStatus = 'waiting' | 'delivered' | 'failed'

/** One event sent to one channel. */
export type Notification = {
  id: string
  eventId: string
  channelId: string
  channelName: string
  status: NotificationStatus
  attempts: number
  /** Undefined if it is not waiting. */
  dueAt: Date | undefined
  /** Whether a node is sending it now. */
  isBeingSent: boolean
  problem: string | undefined
  deliveredAt: Date | undefined
}

export type AlertEventRow = {
  id: string
  workspace_id: string
  alert_id: string
  type: Told['type']
  reason: Told['reason']
  at: number
  value: number | null
  samples: number
  alert: string
  created_at: number
}

export type NotificationRow = {
  id: string
  event_id: string
  channel_id: string
  channel_name: string
  status: NotificationStatus
  attempts: number
  due_at: number | null
  is_being_sent: number
  problem: string | null
  delivered_at: number | null
}

/** Records an event; runs in the transaction that changes the alert's state. */
export async function addEvent(
  sql: Sql,
  event: Omit<AlertEvent, 'id' | 'createdAt'>,
  { ordinal, now }: { readonly ordinal: number; readonly now: Date },
): Promise<string> {
  const id = newId()
  await sql`
    INSERT INTO alert_events
      (id, workspace_id, alert_id, ordinal, type, reason, at, value, samples, alert, created_at)
    VALUES (${id}, ${event.workspaceId}, ${event.alertId}, ${ordinal}, ${event.type}, ${event.reason},
      ${event.at.getTime()}, ${event.value ?? null}, ${event.samples}, ${JSON.stringify(event.alert)},
      ${now.getTime()})`
  // Resolved events have no follow-up.
  if (event.type === 'firing')
    await enqueueFired(sql, { workspaceId: event.workspaceId, eventId: id, alertId: event.alertId }, now)
  return id
}

/** Queues notifications of the last event for the alert's channels; runs in the same transaction. */
export async function addNotifications(
  sql: Sql,
  input: {
    readonly workspaceId: string
    readonly alertId: string
    readonly ordinal: number
    readonly now: Date
  },
): Promise<void> {
  const { workspaceId, alertId, ordinal, now } = input
  const [event] = await sql<{ id: string }>`
    SELECT id FROM alert_events
    WHERE workspace_id = ${workspaceId} AND alert_id = ${alertId} AND ordinal = ${ordinal}`
  if (event === undefined) return
  const channels = await sql<{ id: string; name: string }>`
    SELECT channels.id, channels.name FROM alert_channels JOIN channels ON channels.id = alert_channels.channel_id
    WHERE alert_channels.workspace_id = ${workspaceId} AND alert_id = ${alertId} AND disabled_at IS NULL
    ORDER BY channels.id`
  if (channels.length === 0) return
  const added = await sql<{ id: string; channel_id: string }>`
    INSERT INTO notifications
      (id, workspace_id, alert_id, event_id, ordinal, channel_id, channel_name, status, attempts, created_at)
    VALUES ${channels.map(({ id, name }) => [
      newId(),
      workspaceId,
      alertId,
      event.id,
      ordinal,
      id,
      name,
      'waiting',
      0,
      now.getTime(),
    ])}
    ON CONFLICT (event_id, channel_id) DO NOTHING RETURNING id, channel_id`
  const queued = added.map((row) => ({
    id: row.id,
    workspaceId,
    alertId,
    channelId: row.channel_id,
    ordinal,
  }))
  await enqueueNotifications(sql, queued, now)
}

export const toAlertEvent = (row: AlertEventRow): AlertEvent => ({
  id: row.id,
  workspaceId: row.workspace_id,
  alertId: row.alert_id,
  type: row.type,
  reason: row.reason,
  at: new Date(row.at),
  value: row.value ?? undefined,
  samples: row.samples,
  // Safe: only alerts are written there.
  alert: JSON.parse(row.alert) as AlertThen,
  createdAt: new Date(row.created_at),
})

export const toNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  eventId: row.event_id,
  channelId: row.channel_id,
  channelName: row.channel_name,
  status: row.status,
  attempts: row.attempts,
  dueAt: row.due_at === null ? undefined : new Date(row.due_at),
  isBeingSent: row.is_being_sent === 1,
  problem: row.problem ?? undefined,
  deliveredAt: row.delivered_at === null ? undefined : new Date(row.delivered_at),
})
