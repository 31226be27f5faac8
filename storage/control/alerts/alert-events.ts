/** The history of alerts and its notifications. */

import { NotFound } from '../errors.ts'
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
  const notifications = await sql<NotificationRow>`
    SELECT id, event_id, channel_id, channel_name, status, attempts, due_at, holder, problem, delivered_at FROM notifications
    WHERE workspace_id = ${workspaceId} AND event_id IN (${rows.map(({ id }) => id)})
    ORDER BY channel_name, id`
  const byEvent = Map.groupBy(notifications.map(toNotification), ({ eventId }) => eventId)
  const items = rows.map((row) => ({ ...toAlertEvent(row), notifications: byEvent.get(row.id) ?? [] }))
  return { items, ...(next === undefined ? {} : { next }) }
}

/** Queues a failed notification again with its attempts reset; false if it has not failed. */
export function retry(db: WorkspaceDb, id: string, now: Date): Promise<boolean> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const [updated] = await sql<{ id: string }>`
      UPDATE notifications SET status = 'waiting', attempts = 0, due_at = ${now.getTime()}, holder = ''
      WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'failed' RETURNING id`
    if (updated !== undefined) return true
    const [existing] = await sql<{ id: string }>`
      SELECT id FROM notifications WHERE workspace_id = ${workspaceId} AND id = ${id}`
    if (existing === undefined) throw new NotFound('notification', id)
    return false
  })
}
