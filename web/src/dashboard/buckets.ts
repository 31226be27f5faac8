/** The stretches of time that figures are counted in, as the service has them: in UTC, weeks from Monday. Pure. */

export type Granularity = 'minute' | 'hour' | 'day' | 'week' | 'month'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const widths = { minute: 60_000, hour: hourMs, day: dayMs, week: 7 * dayMs } as const
/** 1970 began on a Thursday. */
const mondayMs = 4 * dayMs

/** Fine enough to see, and at most some two hundred stretches. */
export function granularityFor(start: Date, end: Date): Granularity {
  const ms = end.getTime() - start.getTime()
  if (ms <= 3 * hourMs) return 'minute'
  if (ms <= 8 * dayMs) return 'hour'
  if (ms <= 180 * dayMs) return 'day'
  return ms <= 4 * 365 * dayMs ? 'week' : 'month'
}

export function startOf(time: Date, granularity: Granularity): Date {
  if (granularity === 'month') return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()))
  const width = widths[granularity]
  const offset = granularity === 'week' ? mondayMs : 0
  return new Date(Math.floor((time.getTime() - offset) / width) * width + offset)
}

export const endOf = (start: Date, granularity: Granularity): Date =>
  granularity === 'month'
    ? new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
    : new Date(start.getTime() + widths[granularity])

/** The starts of all stretches that a range touches. */
export function bucketStarts(start: Date, end: Date, granularity: Granularity): readonly Date[] {
  const starts: Date[] = []
  for (let time = startOf(start, granularity); time < end; time = endOf(time, granularity)) starts.push(time)
  return starts
}

/** The part of a stretch that is in the range: what a click on its bar leads to. */
export const partWithin = (
  start: Date,
  granularity: Granularity,
  rangeStart: Date,
  rangeEnd: Date,
): [Date, Date] => {
  const end = endOf(start, granularity)
  return [start > rangeStart ? start : rangeStart, end < rangeEnd ? end : rangeEnd]
}
