/**
 * Recording goes first: while much of it is under way and the thread of requests is busy, or the drain is late, what is
 * done on that thread for judging is followed by a rest, many times as long as it took.
 */
import { performance } from 'node:perf_hooks'

interface RestParts {
  /** Records that are on their way to the trace store. */
  readonly pendingRecords: () => number
  readonly now: () => Date
}

export interface Rest {
  /** When it will be over, in milliseconds since 1970; in the past where there is none. */
  untilMs(): number
  /** Whether work that is done now will be followed by one. */
  isDue(): boolean
  /** Tells of work that is done, which took so long with what it waited for. */
  worked(tookMs: number): void
}

const busyRecords = 500
/** Of the time of the thread of requests, for whatever it does. */
const busyShare = 0.7
/** More than ever waits where the drain keeps up. */
const lateRecords = 4000
const restFactor = 9

export function makeRest({ pendingRecords, now }: RestParts): Rest {
  let before = performance.eventLoopUtilization()
  let untilMs = Number.NEGATIVE_INFINITY
  const isDue = (): boolean => {
    const pending = pendingRecords()
    if (pending > lateRecords) return true
    return pending > busyRecords && performance.eventLoopUtilization(before).utilization > busyShare
  }
  return {
    untilMs: () => untilMs,
    isDue,
    worked(tookMs) {
      if (isDue()) untilMs = now().getTime() + restFactor * tookMs
      before = performance.eventLoopUtilization()
    },
  }
}
