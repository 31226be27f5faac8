import { type AlertRule, invalid, type operations, ServiceError } from '@plumbline/contract'
import { creating } from '../refusals.ts'
import type { Verb } from '../verb.ts'
import { ruleOf } from './rule.ts'
import { toAlert } from './view.ts'

const mutedMsMax = 366 * 86_400_000

/** `wake` says that something is due. */
export const makeUpdate =
  (wake: () => void): Verb<typeof operations.alerts.update> =>
  async ({ id, name, note, channelIds, isEnabled, mutedUntil, ...sent }, { workspace, now }) => {
    const before = await workspace.alerts.find(id)
    if (before === undefined) throw new ServiceError('alert_not_found', { id })
    const change = {
      name: name ?? undefined,
      note: note === undefined ? undefined : (note ?? ''),
      rule: ruleOf(changed(before.rule, sent)),
      channelIds: channelIds ?? undefined,
      isEnabled: isEnabled ?? undefined,
      mutedUntil: mutedUntil == null ? mutedUntil : readMute(mutedUntil, now),
    }
    const updated = await creating('alert', name ?? before.name, workspace.alerts.update(id, change, now))
    wake()
    return { alert: toAlert(updated) }
  }

/** What was not sent stays; null takes away what may be absent, and means the default elsewhere. */
function changed(before: AlertRule, sent: object): AlertRule {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  const merged: AlertRule = { ...before, ...given }
  const { measure, windowMinutes, condition, threshold } = before
  return {
    ...merged,
    measure: merged.measure ?? measure,
    windowMinutes: merged.windowMinutes ?? windowMinutes,
    condition: merged.condition ?? condition,
    threshold: merged.threshold ?? threshold,
  }
}

function readMute(text: string, now: Date): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw invalid('mutedUntil', 'must be an ISO 8601 date-time that exists')
  if (at.getTime() - now.getTime() > mutedMsMax) throw invalid('mutedUntil', 'must be within a year')
  return at
}
