/** The time buckets of figures, as the service computes them. Pure. */
import { bucketEnd, bucketStart, bucketStarts, bucketWidths } from '@plumbline/sdk/time-buckets'
import type { Range } from '../app/range/range.ts'

export type Granularity = keyof typeof bucketWidths

/** A range with its chart buckets. */
export interface Stretch {
  readonly from: Date
  readonly to: Date
  readonly granularity: Granularity
  /** The time zone of its days. */
  readonly timeZone: string
  /** The starts of the buckets that overlap it. */
  readonly times: readonly Date[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Fine enough to be useful, with at most about 200 buckets. */
export function granularityFor(start: Date, end: Date): Granularity {
  const ms = end.getTime() - start.getTime()
  if (ms <= 3 * hourMs) return 'minute'
  if (ms <= 8 * dayMs) return 'hour'
  if (ms <= 180 * dayMs) return 'day'
  return ms <= 4 * 365 * dayMs ? 'week' : 'month'
}

/** Today ends now, not at midnight, so the previous period is as long as the part that has passed. */
export function stretchOf({ from, to: end }: Range, now: Date, timeZone: string): Stretch {
  const minuteEnd = endOfMinute(now)
  const isUnderWay = end === undefined || (from < now && end > minuteEnd)
  const to = isUnderWay ? minuteEnd : end
  const granularity = granularityFor(from, to)
  const times = bucketStarts(from, to, bucketWidths[granularity], timeZone)
  return { from, to, granularity, timeZone, times }
}

/** Includes the current minute. */
const endOfMinute = (now: Date): Date => new Date((Math.floor(now.getTime() / 60_000) + 1) * 60_000)

type Buckets = Pick<Stretch, 'granularity' | 'timeZone'>

export const endOf = (start: Date, { granularity, timeZone }: Buckets): Date =>
  new Date(bucketEnd(start.getTime(), bucketWidths[granularity], timeZone))

/** The part of a bucket within the range, which a click on its bar opens. */
export function partWithin(start: Date, stretch: Stretch): [Date, Date] {
  const end = endOf(start, stretch)
  return [start > stretch.from ? start : stretch.from, end < stretch.to ? end : stretch.to]
}

/** The start of the previous period: of the same length, or as many whole days. */
export function startBefore({ from, to, timeZone }: Pick<Stretch, 'from' | 'to' | 'timeZone'>): Date {
  const startOfDay = (ms: number): number => bucketStart(ms, dayMs, timeZone)
  const areDays = [from, to].every((time) => startOfDay(time.getTime()) === time.getTime())
  const days = Math.round((to.getTime() - from.getTime()) / dayMs)
  return new Date(
    // From noon, an hour gained or lost stays within the same day.
    areDays ? startOfDay(from.getTime() - days * dayMs + dayMs / 2) : 2 * from.getTime() - to.getTime(),
  )
}
