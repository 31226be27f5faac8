/** Reading the hourly sums instead of rows where they give the same result. */
import { type BucketWidth, bucketStarts, isCutByChanges } from '@plumbline/contract'
import type { Parameters } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import { findField } from '../filters/where.ts'
import type { StoreCondition } from '../types.ts'
import { selectContributions } from './hourly-sums.ts'
import { logsHourly, type Source, traces } from './metrics-sources.ts'
import { hourUs, listOf, startOfHour } from './time-buckets.ts'
import type { ZoneClock } from './zone-clock.ts'

interface TimeRange {
  /** Inclusive. */
  readonly fromUs?: bigint | undefined
  /** Exclusive. */
  readonly toUs?: bigint | undefined
}

/** The whole hours of a range with arbitrary ends. */
function wholeHours({ fromUs, toUs }: TimeRange): {
  firstUs: bigint | undefined
  endUs: bigint | undefined
} {
  return {
    firstUs: fromUs === undefined ? undefined : startOfHour(fromUs + hourUs - 1n),
    endUs: toUs === undefined ? undefined : startOfHour(toUs),
  }
}

export function hasWholeHour(range: TimeRange): boolean {
  const { firstUs, endUs } = wholeHours(range)
  return firstUs === undefined || endUs === undefined || firstUs < endUs
}

const dayMs = 86_400_000
/** The most split hours for which rows are read. */
const splitHoursMax = 400

/**
 * The UTC hours within which a bucket begins, in zones that are offset by a fraction of an hour: their sums belong to
 * two buckets. Undefined if there are too many, as with hourly buckets.
 */
export function splitHours(clock: ZoneClock, width: BucketWidth): readonly bigint[] | undefined {
  const { timeZone, range, hasHoursOfUtc } = clock
  if (hasHoursOfUtc || range === undefined) return []
  const bucketMinUs = BigInt(width === 'week' ? 7 * dayMs : width === 'month' ? 28 * dayMs : width) * 1000n
  if (isCutByChanges(width) || range.toUs - range.fromUs > BigInt(splitHoursMax) * bucketMinUs)
    return undefined
  const [start, end] = [range.fromUs, range.toUs].map((us) => new Date(Number(us / 1000n)))
  const starts = bucketStarts(start!, new Date(end!.getTime() + 1), width, timeZone)
  const hours = starts
    .map((time) => BigInt(time.getTime()) * 1000n)
    .filter((us) => us !== startOfHour(us))
    .map(startOfHour)
  return hours.length <= splitHoursMax ? [...new Set(hours)] : undefined
}

/** Whether the sums are grouped by the field of a condition. */
export function hasRolledUp(rollUp: Source, { field, isOfLog }: StoreCondition): boolean {
  const traceField = findField(field)
  if (traceField?.isRolledUp !== true) return false
  return isOfLog === true ? rollUp === logsHourly : traceField.type === 'text'
}

/**
 * The division finds the hours by key. It rounds towards 1970; for hours before 1970 the second condition leaves out
 * the neighbouring ones.
 */
function isInHours(start: string, hours: readonly bigint[]): string {
  const numbers = hours.flatMap((us) => (us < 0n ? [us / hourUs, us / hourUs + 1n] : [us / hourUs]))
  return `(intDiv(${start}, ${hourUs}) IN (${numbers.join(', ')})
    AND has(${listOf(hours)}, ${start} - positiveModulo(${start}, ${hourUs})))`
}

/** Reads the sums of whole hours, and single rows for the hours in which the range or a bucket begins or ends. */
export function fromRollUp(
  { splitHours: hours = [], ...range }: TimeRange & { readonly splitHours?: readonly bigint[] | undefined },
  { from, start, rows }: Source,
  conditions: readonly string[],
  parameters: Parameters,
): { from: string; where: string[]; parameters: Parameters } {
  const { firstUs, endUs } = wholeHours(range)
  const splits = hours.filter(
    (us) => (firstUs === undefined || us >= firstUs) && (endUs === undefined || us < endUs),
  )
  const others = conditions.filter((condition) => !condition.startsWith('start_us '))
  const ofHours = [
    ...others,
    ...(firstUs === undefined ? [] : [`${start} >= {firstHour:Int64}`]),
    ...(endUs === undefined ? [] : [`${start} < {endHour:Int64}`]),
    ...(splits.length === 0 ? [] : [`NOT has(${listOf(splits)}, ${start})`]),
  ]
  const withHours = {
    ...parameters,
    ...(firstUs === undefined ? {} : { firstHour: firstUs }),
    ...(endUs === undefined ? {} : { endHour: endUs }),
  }
  if (rows === undefined || (firstUs === range.fromUs && endUs === range.toUs && splits.length === 0))
    return { from, where: ofHours, parameters: withHours }
  const { source, columns } = rows
  const names = [...Object.keys(columns.keys), ...Object.keys(columns.sums)]
  const isInPart = [
    ...(firstUs === range.fromUs
      ? []
      : [`(${source.start} >= {from:Int64} AND ${source.start} < {firstHour:Int64})`]),
    ...(endUs === range.toUs
      ? []
      : [`(${source.start} >= {endHour:Int64} AND ${source.start} < {to:Int64})`]),
    ...(splits.length === 0 ? [] : [isInHours(source.start, splits)]),
  ].join(' OR ')
  // A bucket may begin within the hour, so these rows keep their own start.
  const ofEachRow = { ...columns, keys: { ...columns.keys, [start]: source.start } }
  const ofRows = [...others, `(${isInPart})`, currentRows(source === traces ? 'traces' : 'logs')]
  return {
    from: `(SELECT ${names.join(', ')} FROM ${from} WHERE ${ofHours.join(' AND ')}
      UNION ALL SELECT ${selectContributions(ofEachRow)} FROM ${source.from} AS t WHERE ${ofRows.join(' AND ')})`,
    where: ['1'],
    parameters: withHours,
  }
}
