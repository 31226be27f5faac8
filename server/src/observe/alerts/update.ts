import { type AlertRule, invalid, type operations, ServiceError, type Timestamp } from '@plumbline/contract'
import { readTimestamp } from '../../json/timestamp.ts'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { readRule } from './rule.ts'
import { toAlert } from './view.ts'

const mutedMsMax = 366 * 86_400_000

/** `notify` is called when an alert is due for a check. */
export const makeUpdate =
  (notify: () => void): Verb<typeof operations.alerts.update> =>
  async ({ id, name, note, channelIds, isEnabled, mutedUntil, ...ruleInput }, { workspace, now }) => {
    const before = await workspace.alerts.find(id)
    if (before === undefined) throw new ServiceError('alert_not_found', { id })
    const change = {
      name: name ?? undefined,
      note: note === undefined ? undefined : (note ?? ''),
      rule: (previous: AlertRule) => readRule(mergeRule(previous, ruleInput)),
      channelIds: channelIds ?? undefined,
      isEnabled: isEnabled ?? undefined,
      mutedUntil: mutedUntil == null ? mutedUntil : readMutedUntil(mutedUntil, now),
    }
    const updated = await mapConflict('alert', name ?? before.name, workspace.alerts.update(id, change, now))
    notify()
    return { alert: toAlert(updated) }
  }

/** Fields that were not sent stay unchanged; null removes an optional field, and resets others to their default. */
function mergeRule(previous: AlertRule, input: object): AlertRule {
  const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const merged: AlertRule = { ...previous, ...changes }
  const { measure, windowMinutes, condition, threshold } = previous
  return {
    ...merged,
    measure: merged.measure ?? measure,
    windowMinutes: merged.windowMinutes ?? windowMinutes,
    condition: merged.condition ?? condition,
    threshold: merged.threshold ?? threshold,
  }
}

function readMutedUntil(value: Timestamp, now: Date): Date {
  const micros = readTimestamp(value)
  if (micros === undefined)
    throw invalid('mutedUntil', 'must be an ISO 8601 date-time that exists, or a Unix time')
  const time = new Date(Number(micros / 1000n))
  if (time.getTime() - now.getTime() > mutedMsMax) throw invalid('mutedUntil', 'must be within a year')
  return time
}
