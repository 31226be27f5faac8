/** The history of alerts and its notifications. */

import { NotFound } from '../errors.ts'
import { findJob, retryJob } from '../jobs/job-list.ts'
import { afterAll, type Page, type PageKey, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import {
  type AlertEvent,
  type AlertEventRow,
  type Notification,
  type NotificationRow,
  toAlertEvent,
  toNotification,
} from './alert-event-rows.ts'
import { enqueueNotifications } from './notification-job.ts'

/** Events of one alert or of all, newest first, each with its notifications; served by their indexes. */
export async function list(
  db: WorkspaceDb,
  alertId: string | undefined,
  { limit, after = afterAll }: PageRequest,
): Promise<Page<AlertEvent & { notifications: Notification[] }>> {
  const { sql, workspaceId } = db
  const matches =
    alertId === undefined
      ? await sql<AlertEventRow>`
          SELECT id, workspace_id, alert_id, type, reason, at, value, samples, alert, created_at FROM alert_events
          WHERE workspace_id = ${workspaceId} AND (created_at, id) < (${after.position}, ${after.id})
          ORDER BY created_at DESC, id DESC LIMIT ${rowsToRead(limit)}`
      : await sql<AlertEventRow>`
          SELECT id, workspace_id, alert_id, type, reason, at, value, samples, alert, created_at FROM alert_events
          WHERE workspace_id = ${workspaceId} AND alert_id = ${alertId}
            AND (created_at, id) < (${after.position}, ${after.id})
          ORDER BY created_at DESC, id DESC LIMIT ${rowsToRead(limit)}`
  const keyOf = (row: AlertEventRow): PageKey => ({ position: row.created_at, id: row.id })
  const { rows, next } = pageOf(matches, limit, keyOf)
  // The job holds the waiting state: a notification without a job, or whose job has ended, is no longer waiting.
  const notifications = await sql<NotificationRow>`
    SELECT n.id, n.event_id, n.channel_id, n.channel_name, n.delivered_at,
      CASE WHEN n.status = 'delivered' THEN 'delivered' WHEN j.state IN ('waiting', 'running') THEN 'waiting'
        ELSE 'failed' END AS status,
      CASE WHEN n.status = 'delivered' THEN n.attempts ELSE coalesce(j.attempts, n.attempts) END AS attempts,
      CASE WHEN n.status = 'delivered' THEN n.problem ELSE coalesce(j.last_error, n.problem) END AS problem,
      CASE WHEN j.state = 'waiting' THEN j.due_at END AS due_at,
      CASE WHEN j.state = 'running' THEN 1 ELSE 0 END AS is_being_sent
    FROM notifications n LEFT JOIN jobs j ON j.id = n.id
    WHERE n.workspace_id = ${workspaceId} AND n.event_id IN (${rows.map(({ id }) => id)})
    ORDER BY n.channel_name, n.id`
  const byEvent = Map.groupBy(notifications.map(toNotification), ({ eventId }) => eventId)
  const items = rows.map((row) => ({ ...toAlertEvent(row), notifications: byEvent.get(row.id) ?? [] }))
  return { items, ...(next === undefined ? {} : { next }) }
}

/** Queues a failed notification again with its attempts reset; false if it has not failed. */
export function retry(db: WorkspaceDb, id: string, now: Date): Promise<boolean> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const [existing] = await sql<{ status: string; alert_id: string; channel_id: string; ordinal: number }>`
      SELECT status, alert_id, channel_id, ordinal FROM notifications
      WHERE workspace_id = ${workspaceId} AND id = ${id}`
    if (existing === undefined) throw new NotFound('notification', id)
    if (existing.status === 'delivered') return false
    await sql`
      UPDATE notifications SET status = 'waiting', attempts = 0
      WHERE workspace_id = ${workspaceId} AND id = ${id}`
    if (await retryJob(sql, workspaceId, id, now)) return true
    // Either its job is still waiting or running, or it failed long ago and its job was deleted.
    if ((await findJob(sql, workspaceId, id)) !== undefined) return false
    const { alert_id: alertId, channel_id: channelId, ordinal } = existing
    await enqueueNotifications(sql, [{ id, workspaceId, alertId, channelId, ordinal }], now)
    return true
  })
}
