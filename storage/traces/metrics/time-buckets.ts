import type { Granularity } from '@plumbline/contract'

/** Widths are cast with `toInt64`: the engine reads a long literal as unsigned, and times before 1970 would become unsigned too. */
export const hourUs = 3_600_000_000n
const dayUs = 24n * hourUs
const widths: Record<Exclude<Granularity, 'month'>, bigint> = {
  minute: 60_000_000n,
  hour: hourUs,
  day: dayUs,
  week: 7n * dayUs,
}

/** Instants before 1970 are negative. */
export const startOfHour = (us: bigint): bigint => us - (((us % hourUs) + hourUs) % hourUs)

/** 1970 began on a Thursday; weeks begin on Monday. */
const mondayUs = 4n * dayUs

/** SQL for the start of the bucket, in UTC, as text of microseconds; right for the years 1 to 9999. */
export function bucketOf(start: string, granularity: Granularity): string {
  if (granularity === 'month') return `toString(${monthOf(start)})`
  const offset = granularity === 'week' ? mondayUs : 0n
  return `toString(${start} - positiveModulo(${start} - ${offset}, toInt64(${widths[granularity]})))`
}

/**
 * The engine's own calendar ends in 1900 and 2299, so the first of the month is counted from the days: in years that
 * begin in March, of which 400 are 146,097 days, a month's first day lies at (153 * month + 2) / 5.
 */
function monthOf(start: string): string {
  const day = `intDiv(${start} - positiveModulo(${start}, toInt64(${dayUs})), toInt64(${dayUs}))`
  // From the first of March of the year 0.
  const ofEra = `((${day} + 719468) % 146097)`
  const yearOfEra = `intDiv(${ofEra} - intDiv(${ofEra}, 1460) + intDiv(${ofEra}, 36524) - intDiv(${ofEra}, 146096), 365)`
  const ofYear = `(${ofEra} - (365 * ${yearOfEra} + intDiv(${yearOfEra}, 4) - intDiv(${yearOfEra}, 100)))`
  const month = `intDiv(5 * ${ofYear} + 2, 153)`
  return `((${day} - ${ofYear} + intDiv(153 * ${month} + 2, 5)) * toInt64(${dayUs}))`
}

/** SQL for the ends of the windows that a start lies in, one row for each, as text of microseconds; for starts since 1970. */
export function windowsOf(
  start: string,
  { widthUs, stepUs, fromUs, toUs }: Record<'widthUs' | 'stepUs' | 'fromUs' | 'toUs', bigint>,
): string {
  const first = `greatest(intDiv(${start}, ${stepUs}) + 1, toInt64(${(fromUs + widthUs + stepUs - 1n) / stepUs}))`
  const last = `least(intDiv(${start} + ${widthUs}, ${stepUs}), toInt64(${toUs / stepUs}))`
  return `toString(arrayJoin(range(${first}, ${last} + 1)) * ${stepUs})`
}

/** ISO 8601 in UTC. */
export function bucketTime(startUs: string): string {
  return new Date(Number(BigInt(startUs) / 1000n)).toISOString().replace('Z', '000Z')
}
