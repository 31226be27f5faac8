/**
 * How the state of an alert changes from one check to the next: ok, pending while the value is bad but not for long
 * enough, firing, and ok again. In the band between the threshold and the recovery threshold nothing changes.
 */
import type { AlertEvent, AlertRule, AlertState } from '@plumbline/contract'
import { differenceOf } from '@plumbline/contract/difference'

export type StateRule = Pick<
  AlertRule,
  | 'condition'
  | 'threshold'
  | 'recoveryThreshold'
  | 'forMinutes'
  | 'keepFiringForMinutes'
  | 'minimumSamples'
  | 'noData'
>

/** The measurement of a window. */
export type Measurement = {
  /** The end of the window. */
  readonly time: Date
  /** Undefined if there was no data to compute it from. */
  readonly value: number | undefined
  readonly samples: number
  /** Whether few samples, or none, are as good as many: true for sums and counts. */
  readonly isSum: boolean
}

export type CurrentState = {
  readonly state: AlertState
  readonly since: Date
  /** While the alert fires: since when its value has been good. */
  readonly recoveringSince: Date | undefined
}

export type Transition = {
  readonly status: CurrentState
  readonly event: Pick<AlertEvent, 'type' | 'reason'> | undefined
}

type Reading = 'bad' | 'band' | 'good' | 'unknown'

const minuteMs = 60_000

/** The status after one more check, and the event that it caused. */
export function nextState(rule: StateRule, current: CurrentState, measurement: Measurement): Transition {
  const hasData = hasEnoughData(rule, measurement)
  const reading = hasData
    ? classify(rule, measurement.value!)
    : ({ ok: 'good', keep: 'unknown', fire: 'bad' } as const)[rule.noData]
  const reason = hasData ? 'threshold' : 'no_data'
  const unchanged: Transition = { status: current, event: undefined }
  const enter = (state: AlertState): CurrentState => ({
    state,
    since: measurement.time,
    recoveringSince: undefined,
  })
  const hasLasted = (start: Date, minutes: number): boolean =>
    measurement.time.getTime() - start.getTime() >= minutes * minuteMs
  if (reading === 'unknown') return unchanged
  switch (current.state) {
    case 'ok':
      if (reading !== 'bad') return unchanged
      return rule.forMinutes === 0
        ? { status: enter('firing'), event: { type: 'firing', reason } }
        : { status: enter('pending'), event: undefined }
    case 'pending':
      if (reading !== 'bad') return { status: enter('ok'), event: undefined }
      return hasLasted(current.since, rule.forMinutes)
        ? { status: enter('firing'), event: { type: 'firing', reason } }
        : unchanged
    case 'firing': {
      if (reading !== 'good') return { status: { ...current, recoveringSince: undefined }, event: undefined }
      const recoveringSince = current.recoveringSince ?? measurement.time
      return hasLasted(recoveringSince, rule.keepFiringForMinutes)
        ? { status: enter('ok'), event: { type: 'resolved', reason } }
        : { status: { ...current, recoveringSince }, event: undefined }
    }
  }
}

/** Whether a window has enough data: a rate of a few samples does not, a sum without samples does. */
function hasEnoughData({ minimumSamples }: StateRule, { value, samples, isSum }: Measurement): boolean {
  return value !== undefined && (isSum || samples >= minimumSamples)
}

function classify({ condition, threshold, recoveryThreshold }: StateRule, value: number): Reading {
  // Normalized as if the condition were always "above".
  const sign = condition === 'above' ? 1 : -1
  if (sign * differenceOf(value, threshold) > 0) return 'bad'
  return sign * differenceOf(value, recoveryThreshold ?? threshold) <= 0 ? 'good' : 'band'
}
