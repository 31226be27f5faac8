import { type BucketWidth, bucketStart } from '@plumbline/contract'
import type { ZoneClock } from './zone-clock.ts'

/** Widths are cast with `toInt64`: the engine reads a long literal as unsigned, and times before 1970 would become unsigned too. */
export const hourUs = 3_600_000_000n
const dayUs = 24n * hourUs

/** Instants before 1970 are negative. */
export const startOfHour = (us: bigint): bigint => us - (((us % hourUs) + hourUs) % hourUs)

/** Rounds down to the millisecond. */
export const toMs = (us: bigint): number => Number((us - (((us % 1000n) + 1000n) % 1000n)) / 1000n)
export const toUs = (ms: number): bigint => BigInt(ms) * 1000n

/** Instants as an SQL list; a long list would not fit into a parameter, which is part of the URL. */
export const listOf = (instantsUs: readonly bigint[]): string =>
  `CAST([${instantsUs.join(', ')}], 'Array(Int64)')`

/** The start of an instant's bucket. */
export const bucketStartUs = (us: bigint, width: BucketWidth, timeZone: string): bigint =>
  toUs(bucketStart(toMs(us), width, timeZone))

/** 1970 began on a Thursday; weeks begin on Monday. */
const mondayUs = 4n * dayUs

/**
 * SQL for the start of a bucket by a clock, whose `instant` converts it to an instant; correct for the years 1 to 9999.
 */
export function bucketOf(start: string, width: BucketWidth, clock: ZoneClock): string {
  const local = clock.local(start, width)
  if (width === 'month') return monthOf(local)
  const [widthUs, offset] = width === 'week' ? [7n * dayUs, mondayUs] : [BigInt(width) * 1000n, 0n]
  return clock.begin(`${local} - positiveModulo(${local} - ${offset}, toInt64(${widthUs}))`, start, width)
}

/**
 * The engine's own calendar ends in 1900 and 2299, so the first of the month is computed from the days: in years that
 * begin in March, of which 400 are 146,097 days, a month's first day lies at (153 * month + 2) / 5.
 */
function monthOf(local: string): string {
  const day = 'day_of_bucket'
  // From the first of March of the year 0.
  const ofEra = `((${day} + 719468) % 146097)`
  const yearOfEra = `intDiv(${ofEra} - intDiv(${ofEra}, 1460) + intDiv(${ofEra}, 36524) - intDiv(${ofEra}, 146096), 365)`
  const ofYear = `(${ofEra} - (365 * ${yearOfEra} + intDiv(${yearOfEra}, 4) - intDiv(${yearOfEra}, 100)))`
  const month = `intDiv(5 * ${ofYear} + 2, 153)`
  const namedDay = `(intDiv(${local} - positiveModulo(${local}, toInt64(${dayUs})), toInt64(${dayUs})) AS ${day})`
  return `((${namedDay} - ${ofYear} + intDiv(153 * ${month} + 2, 5)) * toInt64(${dayUs}))`
}

/** SQL for the ends of the windows that contain a start, one row each, as text in microseconds; for starts since 1970. */
export function windowsOf(
  start: string,
  { widthUs, stepUs, fromUs, toUs }: Record<'widthUs' | 'stepUs' | 'fromUs' | 'toUs', bigint>,
): string {
  const first = `greatest(intDiv(${start}, ${stepUs}) + 1, toInt64(${(fromUs + widthUs + stepUs - 1n) / stepUs}))`
  const last = `least(intDiv(${start} + ${widthUs}, ${stepUs}), toInt64(${toUs / stepUs}))`
  return `toString(arrayJoin(range(${first}, ${last} + 1)) * ${stepUs})`
}

/** ISO 8601 in UTC. There are no dates before the year 1. */
export const bucketTime = (startUs: bigint): string =>
  new Date(Number((startUs < earliestUs ? earliestUs : startUs) / 1000n)).toISOString().replace('Z', '000Z')

const earliestUs = -62_135_596_800_000_000n
