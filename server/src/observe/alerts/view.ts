/** Alerts and their history as the interface shows them. */
import type { Alert, AlertEvent } from '@plumbline/contract'
import type { AlertAndChannels, Notification, AlertEvent as StoredEvent } from '@plumbline/storage/control'
import { describeEvent, describeRule } from './labels.ts'
import { everyMinutes } from './windows.ts'

export function toAlert({ rule, status, ...alert }: AlertAndChannels): Alert {
  const { state, since, checkedAt, value, samples, problem, recent } = status
  return {
    id: alert.id,
    name: alert.name,
    note: alert.note === '' ? null : alert.note,
    summary: describeRule(rule),
    ...rule,
    everyMinutes: everyMinutes(rule.windowMinutes),
    channelIds: alert.channelIds,
    isEnabled: alert.isEnabled,
    mutedUntil: alert.mutedUntil?.toISOString() ?? null,
    createdAt: alert.createdAt.toISOString(),
    state,
    since: checkedAt === undefined ? null : since.toISOString(),
    checkedAt: checkedAt?.toISOString() ?? null,
    value: value ?? null,
    samples,
    problem: problem ?? null,
    recent: recent.map(([atMs, pastValue]) => ({ at: new Date(atMs).toISOString(), value: pastValue })),
  }
}

export const toAlertEvent = ({
  alert,
  notifications,
  ...event
}: StoredEvent & { readonly notifications: readonly Notification[] }): AlertEvent => ({
  id: event.id,
  alertId: event.alertId,
  alertName: alert.name,
  type: event.type,
  reason: event.reason,
  at: event.at.toISOString(),
  value: event.value ?? null,
  samples: event.samples,
  measure: alert.rule.measure,
  windowMinutes: alert.rule.windowMinutes,
  condition: alert.rule.condition,
  threshold: alert.rule.threshold,
  summary: describeEvent(event, alert.rule),
  notifications: notifications.map((notification) => ({
    id: notification.id,
    channelId: notification.channelId,
    channelName: notification.channelName,
    status: notification.status,
    attempts: notification.attempts,
    problem: notification.problem ?? null,
    nextAt:
      notification.status === 'waiting' && !notification.isBeingSent
        ? (notification.dueAt?.toISOString() ?? null)
        : null,
    deliveredAt: notification.deliveredAt?.toISOString() ?? null,
  })),
})
