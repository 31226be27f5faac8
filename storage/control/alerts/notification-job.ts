/** The job that sends one notification. It has the id of the notification, so it is added only once. */
import { enqueueJobs } from '../jobs/enqueue-jobs.ts'
import type { Sql } from '../store/sql.ts'

export const notificationJobKind = 'notification.send'

/** Spread over about four hours. */
export const notificationAttemptsMax = 10

interface QueuedNotification {
  readonly id: string
  readonly workspaceId: string
  readonly alertId: string
  readonly channelId: string
  readonly ordinal: number
}

/** Enqueues notifications in the caller's transaction. A channel receives the events of one alert in order. */
export async function enqueueNotifications(
  sql: Sql,
  notifications: readonly QueuedNotification[],
  now: Date,
): Promise<void> {
  await enqueueJobs(
    sql,
    notifications.map(({ id, workspaceId, alertId, channelId, ordinal }) => ({
      id,
      workspaceId,
      kind: notificationJobKind,
      payload: { notificationId: id },
      concurrencyGroup: channelId,
      sequence: `${alertId}/${channelId}`,
      position: ordinal,
      attemptsMax: notificationAttemptsMax,
    })),
    now,
  )
}

/** Turns a channel's waiting jobs into dead letters, since it no longer receives anything. */
export async function failNotificationJobs(
  sql: Sql,
  {
    workspaceId,
    channelId,
    problem,
    now,
  }: { workspaceId: string; channelId: string; problem: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE jobs SET state = 'failed', last_error = ${problem}, finished_at = ${now.getTime()}
    WHERE workspace_id = ${workspaceId} AND kind = ${notificationJobKind} AND concurrency_group = ${channelId}
      AND state = 'waiting'`
}
