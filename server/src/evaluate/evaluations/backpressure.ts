/**
 * Ingestion takes precedence: while records come in and the request thread is busy, or while the drain lags, each piece of
 * evaluation work on that thread is followed by a pause many times as long.
 */
import { performance } from 'node:perf_hooks'

export interface BackpressureParts {
  /** The number of records accepted since startup, and of those not yet in the trace store. */
  readonly recordingCounts: () => { readonly acceptedCount: number; readonly pending: number }
  readonly now: () => Date
}

export interface Backpressure {
  /** When the pause ends, in milliseconds since 1970; in the past when there is none. */
  pausedUntilMs(): number
  /** Whether work done now would be followed by a pause. */
  isNeeded(): boolean
  /** Reports finished work and its elapsed time, which may cause a pause. */
  reportWork(durationMs: number): void
}

/** Both must be exceeded: the rate of records and the utilization of the thread. */
const busyThresholds = { perSecond: 100, share: 0.7 }
/** More pending records than a drain that keeps up ever has. */
const pendingRecordsMax = 4000
const pauseFactor = 24
/** Bounded, since elapsed time includes what the work awaited. */
const pauseMsMax = 4000

export function makeBackpressure({ recordingCounts, now }: BackpressureParts): Backpressure {
  const measure = () => ({
    loop: performance.eventLoopUtilization(),
    taken: recordingCounts().acceptedCount,
    atMs: performance.now(),
  })
  let before = measure()
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  const isNeeded = (): boolean => {
    const { acceptedCount, pending } = recordingCounts()
    if (pending > pendingRecordsMax) return true
    const perSecond = ((acceptedCount - before.taken) * 1000) / (performance.now() - before.atMs)
    return (
      perSecond > busyThresholds.perSecond &&
      performance.eventLoopUtilization(before.loop).utilization > busyThresholds.share
    )
  }
  return {
    pausedUntilMs: () => pausedUntilMs,
    isNeeded,
    reportWork(durationMs) {
      if (isNeeded()) pausedUntilMs = now().getTime() + Math.min(pauseMsMax, pauseFactor * durationMs)
      before = measure()
    },
  }
}
