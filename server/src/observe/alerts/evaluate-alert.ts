/** One check of an alert: measures its window, and decides its next state and whether to notify. */
import type { AlertCheck, AlertStatus, CheckedAlert } from '@plumbline/storage/control'
import { type MeasureSource, measureWindow } from './measurements.ts'
import { nextState } from './next-state.ts'
import { floorToMinute, nextEvaluation, windowEnd } from './windows.ts'

const recentMax = 60
/** How soon to check again while the trace store lags behind the window. */
const lateCheckMs = 5000
/** A long time, since a change of the alert wakes it in any case. */
const disabledCheckMs = 3_600_000

interface EvaluationTimes {
  readonly now: Date
  /** Records that arrived before this time are in the trace store, as far as this node knows. */
  readonly storedUntil: Date
}

/** Measures the last complete window, and decides what follows. */
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
  // The window was already measured: this check is for a mute, for records that are still late, or after a clock was set back.
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

/** More than the clocks of nodes differ by. */
const clockSkewMs = 5 * 60_000

/** Corrects a status written with a clock that was ahead: its windows are in the future, and its states count from now. */
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

/** Notifies channels of news only: of a firing, and of the end of a firing that they were notified of. */
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
