/** The stretches of time that figures are counted in, as the service has them: in UTC, weeks from Monday. Pure. */

export type Granularity = 'minute' | 'hour' | 'day' | 'week' | 'month'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const widths = { minute: 60_000, hour: hourMs, day: dayMs, week: 7 * dayMs } as const
/** 1970 began on a Thursday. */
const mondayMs = 4 * dayMs

/** Fine enough to see, and at most some two hundred stretches. */
export function granularityFor(from: Date, to: Date): Granularity {
  const ms = to.getTime() - from.getTime()
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
export function bucketStarts(from: Date, to: Date, granularity: Granularity): readonly Date[] {
  const starts: Date[] = []
  for (let time = startOf(from, granularity); time < to; time = endOf(time, granularity)) starts.push(time)
  return starts
}

/** The part of a stretch that is in the range: what a click on its bar leads to. */
export const partWithin = (start: Date, granularity: Granularity, from: Date, to: Date): [Date, Date] => {
  const end = endOf(start, granularity)
  return [start > from ? start : from, end < to ? end : to]
}
