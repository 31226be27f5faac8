/**
 * Recording goes first: while records come in and the thread of requests is busy, or the drain is late, what is done on
 * that thread for judging is followed by a rest, many times as long as it took.
 */
import { performance } from 'node:perf_hooks'

export interface RestParts {
  /** Records that were taken ever, and those on their way to the trace store. */
  readonly recorded: () => { readonly taken: number; readonly pending: number }
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

/** So many records a second, beside that the thread is busy with whatever it does for so much of its time. */
const busy = { perSecond: 100, share: 0.7 }
/** More than ever waits where the drain keeps up. */
const lateRecords = 4000
const restFactor = 9
/** What the work waited for may take long by itself. */
const restMsMax = 2000

export function makeRest({ recorded, now }: RestParts): Rest {
  const look = () => ({
    loop: performance.eventLoopUtilization(),
    taken: recorded().taken,
    atMs: performance.now(),
  })
  let before = look()
  let untilMs = Number.NEGATIVE_INFINITY
  const isDue = (): boolean => {
    const { taken, pending } = recorded()
    if (pending > lateRecords) return true
    const perSecond = ((taken - before.taken) * 1000) / (performance.now() - before.atMs)
    return (
      perSecond > busy.perSecond && performance.eventLoopUtilization(before.loop).utilization > busy.share
    )
  }
  return {
    untilMs: () => untilMs,
    isDue,
    worked(tookMs) {
      if (isDue()) untilMs = now().getTime() + Math.min(restMsMax, restFactor * tookMs)
      before = look()
    },
  }
}
