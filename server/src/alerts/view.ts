/** Alerts and their history as the interface shows them. */
import type { Alert, AlertEvent } from '@plumbline/contract'
import type { AlertAndChannels, Notification, AlertEvent as StoredEvent } from '@plumbline/storage/control'
import { everyMinutes } from './windows.ts'
import { eventInWords, ruleInWords } from './words.ts'

export function toAlert({ rule, standing, ...of }: AlertAndChannels): Alert {
  const { state, since, checkedAt, value, samples, problem, recent } = standing
  return {
    id: of.id,
    name: of.name,
    note: of.note === '' ? null : of.note,
    summary: ruleInWords(rule),
    ...rule,
    everyMinutes: everyMinutes(rule.windowMinutes),
    channelIds: of.channelIds,
    isEnabled: of.isEnabled,
    mutedUntil: of.mutedUntil?.toISOString() ?? null,
    createdAt: of.createdAt.toISOString(),
    state,
    since: checkedAt === undefined ? null : since.toISOString(),
    checkedAt: checkedAt?.toISOString() ?? null,
    value: value ?? null,
    samples,
    problem: problem ?? null,
    recent: recent.map(([atMs, found]) => ({ at: new Date(atMs).toISOString(), value: found })),
  }
}

export const toAlertEvent = ({
  alert,
  notifications,
  ...of
}: StoredEvent & { readonly notifications: readonly Notification[] }): AlertEvent => ({
  id: of.id,
  alertId: of.alertId,
  alertName: alert.name,
  type: of.type,
  reason: of.reason,
  at: of.at.toISOString(),
  value: of.value ?? null,
  samples: of.samples,
  measure: alert.rule.measure,
  windowMinutes: alert.rule.windowMinutes,
  condition: alert.rule.condition,
  threshold: alert.rule.threshold,
  summary: eventInWords(of, alert.rule),
  notifications: notifications.map((told) => ({
    id: told.id,
    channelId: told.channelId,
    channelName: told.channelName,
    status: told.status,
    attempts: told.attempts,
    problem: told.problem ?? null,
    nextAt: told.status === 'waiting' && !told.isBeingSent ? told.dueAt.toISOString() : null,
    deliveredAt: told.deliveredAt?.toISOString() ?? null,
  })),
})
