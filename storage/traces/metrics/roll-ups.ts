/** Reading the hourly sums in place of rows, where they give the same result. */
import type { Parameters } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import { findField } from '../filters/where.ts'
import type { StoreCondition } from '../types.ts'
import { selectContributions } from './hourly-sums.ts'
import { logsHourly, type Source, traces } from './metrics-sources.ts'
import { hourUs, startOfHour } from './time-buckets.ts'

interface TimeRange {
  /** Inclusive. */
  readonly fromUs?: bigint | undefined
  /** Exclusive. */
  readonly toUs?: bigint | undefined
}

/** The whole hours of a range, which begins and ends anywhere. */
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

/** Whether the sums are kept apart by what a condition is about. */
export function hasRolledUp(rollUp: Source, { field, isOfLog }: StoreCondition): boolean {
  const traceField = findField(field)
  if (traceField?.isRolledUp !== true) return false
  return isOfLog === true ? rollUp === logsHourly : traceField.type === 'text'
}

/** The sums of whole hours; of the hours that the range begins and ends in, the rows themselves. */
export function fromRollUp(
  range: TimeRange,
  { from, start, rows }: Source,
  conditions: readonly string[],
  parameters: Parameters,
): { from: string; where: string[]; parameters: Parameters } {
  const { firstUs, endUs } = wholeHours(range)
  const others = conditions.filter((condition) => !condition.startsWith('start_us '))
  const ofHours = [
    ...others,
    ...(firstUs === undefined ? [] : [`${start} >= {firstHour:Int64}`]),
    ...(endUs === undefined ? [] : [`${start} < {endHour:Int64}`]),
  ]
  const withHours = {
    ...parameters,
    ...(firstUs === undefined ? {} : { firstHour: firstUs }),
    ...(endUs === undefined ? {} : { endHour: endUs }),
  }
  if (rows === undefined || (firstUs === range.fromUs && endUs === range.toUs))
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
  ].join(' OR ')
  const ofRows = [...others, `(${isInPart})`, currentRows(source === traces ? 'traces' : 'logs')]
  return {
    from: `(SELECT ${names.join(', ')} FROM ${from} WHERE ${ofHours.join(' AND ')}
      UNION ALL SELECT ${selectContributions(columns)} FROM ${source.from} AS t WHERE ${ofRows.join(' AND ')})`,
    where: ['1'],
    parameters: withHours,
  }
}
