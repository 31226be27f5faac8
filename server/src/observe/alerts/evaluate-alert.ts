/** One look at an alert: what its window holds, how it goes on, and who is told. */
import type { AlertCheck, AlertStatus, CheckedAlert } from '@plumbline/storage/control'
import { type MeasureSource, measureWindow } from './measurements.ts'
import { nextState } from './next-state.ts'
import { floorToMinute, nextEvaluation, windowEnd } from './windows.ts'

const recentMax = 60
/** While records are on their way for long, so often it is seen how far they are. */
const lateCheckMs = 5000
/** A change of the alert wakes it in any case. */
const disabledCheckMs = 3_600_000

interface EvaluationTimes {
  readonly now: Date
  /** What arrived before is in the trace store, as far as this node knows. */
  readonly storedUntil: Date
}

/** Reads the last window that is whole, and says what follows of it. */
export async function evaluateAlert(
  alert: CheckedAlert,
  traces: MeasureSource,
  { now, storedUntil }: EvaluationTimes,
): Promise<AlertCheck> {
  const { rule } = alert
  const before = correctStatus(alert.status, now)
  if (!alert.isEnabled)
    return {
      status: before,
      nextAt: new Date(now.getTime() + disabledCheckMs),
      event: undefined,
      notifies: false,
    }
  const dueEnd = windowEnd(rule, now)
  const isLate = storedUntil < dueEnd
  const end = isLate ? floorToMinute(storedUntil) : dueEnd
  const nextAt = isLate ? new Date(now.getTime() + lateCheckMs) : nextEvaluation(rule, now)
  // A look for the sake of a mute, records that are late still, a clock that was set back: the window is known.
  if (before.checkedAt !== undefined && end <= before.checkedAt)
    return decideNotification(alert, { status: before, nextAt, event: undefined }, now)
  const sample = await measureWindow(traces, rule, end)
  const { status, event } = nextState(rule, before, sample)
  const evaluated: AlertStatus = {
    ...status,
    notified: before.notified,
    checkedAt: end,
    value: sample.value,
    samples: sample.samples,
    problem: undefined,
    recent: [...before.recent, [end.getTime(), sample.value ?? null] as const].slice(-recentMax),
  }
  return decideNotification(alert, { status: evaluated, nextAt, event }, now)
}

/** More than clocks of nodes differ by. */
const clockSkewMs = 5 * 60_000

/** A status of a clock that was ahead: its windows have yet to come, and what it has since then began now. */
function correctStatus(status: AlertStatus, now: Date): AlertStatus {
  if (status.checkedAt === undefined || status.checkedAt.getTime() <= now.getTime() + clockSkewMs)
    return status
  const notAfterNow = (time: Date): Date => (time > now ? now : time)
  return {
    ...status,
    checkedAt: undefined,
    since: notAfterNow(status.since),
    recoveringSince: status.recoveringSince && notAfterNow(status.recoveringSince),
    recent: status.recent.filter(([atMs]) => atMs <= now.getTime()),
  }
}

/** Channels hear of what they do not know yet: of a firing, and of the end of one that they were told of. */
function decideNotification(alert: CheckedAlert, check: Omit<AlertCheck, 'notifies'>, now: Date): AlertCheck {
  const isMuted = alert.mutedUntil !== undefined && alert.mutedUntil > now
  const is = check.status.state === 'firing' ? 'firing' : 'ok'
  const notifies = !isMuted && is !== check.status.notified
  return {
    ...check,
    status: { ...check.status, notified: notifies ? is : check.status.notified },
    notifies,
  }
}
