/**
 * The time buckets of counts and metrics, by the clocks of a zone, for the service and the web app alike. Pure.
 *
 * Buckets follow each other without gaps. A bucket of days, or of several hours, lasts from when clocks first show its
 * start until they first show its end, whatever they show in between: a day can have 23 or 25 hours, and a day that a zone
 * skipped has no bucket. A bucket of an hour or less begins at its local hour or minute, and also wherever clocks change,
 * so that an hour that they show twice has two buckets.
 */
import type { Granularity } from '../traces/metrics.ts'
import { clockPeriodAt, clockPeriods, instantOf } from './time-zone.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** 1970 began on a Thursday; weeks begin on Monday. */
const mondayMs = 4 * dayMs

/** A width in milliseconds, aligned to 1970, or a calendar unit. */
export type BucketWidth = number | 'week' | 'month'

export const bucketWidths = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 'week',
  month: 'month',
} as const satisfies Record<Granularity, BucketWidth>

/** Whether buckets also begin where clocks change. */
export const isCutByChanges = (width: BucketWidth): width is number =>
  typeof width === 'number' && width <= hourMs

/** The start of the bucket that contains an instant. */
export function bucketStart(ms: number, width: BucketWidth, timeZone: string): number {
  const period = clockPeriodAt(ms, timeZone)
  return isCutByChanges(width)
    ? Math.max(period.startMs, floor(ms + period.offsetMs, width) - period.offsetMs)
    : instantOf(floor(Math.max(ms + period.offsetMs, period.latestBeforeMs), width), timeZone)
}

/** The end of the bucket that begins at an instant, which is the start of the next one. */
export function bucketEnd(startMs: number, width: BucketWidth, timeZone: string): number {
  const period = clockPeriodAt(startMs, timeZone)
  if (isCutByChanges(width)) {
    const endMs = floor(startMs + period.offsetMs, width) + width - period.offsetMs
    const [, nextPeriod] = clockPeriods(timeZone, startMs, endMs)
    return Math.min(endMs, nextPeriod?.startMs ?? endMs)
  }
  let localMs = floor(Math.max(startMs + period.offsetMs, period.latestBeforeMs), width)
  let endMs = startMs
  // Days that a zone skipped have no length.
  while (endMs <= startMs) {
    localMs = next(localMs, width)
    endMs = instantOf(localMs, timeZone)
  }
  return endMs
}

/** The starts of all buckets that overlap a range. */
export function bucketStarts(start: Date, end: Date, width: BucketWidth, timeZone: string): readonly Date[] {
  const starts: Date[] = []
  let ms = bucketStart(start.getTime(), width, timeZone)
  for (; ms < end.getTime(); ms = bucketEnd(ms, width, timeZone)) starts.push(new Date(ms))
  return starts
}

function floor(localMs: number, width: BucketWidth): number {
  if (width === 'month') {
    const day = new Date(localMs)
    // `Date.UTC` would read the year 50 as 1950.
    return new Date(0).setUTCFullYear(day.getUTCFullYear(), day.getUTCMonth(), 1)
  }
  const [stepMs, anchorMs] = width === 'week' ? [7 * dayMs, mondayMs] : [width, 0]
  return Math.floor((localMs - anchorMs) / stepMs) * stepMs + anchorMs
}

function next(startMs: number, width: BucketWidth): number {
  if (width !== 'month') return startMs + (width === 'week' ? 7 * dayMs : width)
  const day = new Date(startMs)
  return new Date(0).setUTCFullYear(day.getUTCFullYear(), day.getUTCMonth() + 1, 1)
}
