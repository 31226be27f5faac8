/**
 * The clocks of a time zone over a range, as SQL. The engine's own calendar is not used, since it covers only 1900 to
 * 2299.
 */
import {
  type BucketWidth,
  type ClockPeriod,
  clockPeriods,
  cycleMs,
  instantOf,
  isCutByChanges,
  repeatMs,
} from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { hourUs, listOf, toMs, toUs } from './time-buckets.ts'

export interface ZoneClock {
  readonly timeZone: string
  /** The range that it is valid for; absent for UTC, which is valid for all times. */
  readonly range: BoundRange | undefined
  /** SQL for the local time, or for the latest local time so far if a clock change does not start a new bucket. */
  local(start: string, width: BucketWidth): string
  /**
   * SQL for the instant of a local time at which a bucket begins, if clock changes start new buckets; otherwise the
   * local time.
   */
  begin(local: string, start: string, width: BucketWidth): string
  /** Converts the value that `begin` selects to an instant. */
  instant(beginUs: bigint, width: BucketWidth): bigint
  /** Whether local hours always coincide with UTC hours, so that each UTC hour is in one bucket. */
  readonly hasHoursOfUtc: boolean
  /** SQL before the `SELECT`. Hundreds of periods are too long for parameters, which are part of the URL. */
  readonly prelude: string
}

/** In microseconds; the end is exclusive. */
export interface BoundRange {
  readonly fromUs: bigint
  readonly toUs: bigint
}

interface OpenRange {
  readonly fromUs?: bigint | undefined
  readonly toUs?: bigint | undefined
}

export const utcClock: ZoneClock = {
  timeZone: 'UTC',
  range: undefined,
  local: (start) => start,
  begin: (local) => local,
  instant: (beginUs) => beginUs,
  hasHoursOfUtc: true,
  prelude: '',
}

const dayMs = 86_400_000
const [repeatUs, cycleUs] = [toUs(repeatMs), toUs(cycleMs)]

/** The clock of a zone for traces that start in a range. */
function makeZoneClock(timeZone: string, range: BoundRange): ZoneClock {
  const isLate = range.toUs > repeatUs
  const startMs = toMs(range.fromUs)
  // A change before the range may affect it. After `repeatMs`, all periods of a cycle are needed.
  const periods = isLate
    ? clockPeriods(timeZone, Math.min(startMs - dayMs, repeatMs - cycleMs), repeatMs)
    : clockPeriods(timeZone, startMs - dayMs, toMs(range.toUs) + 1)
  const [only] = periods
  const sql =
    only !== undefined && periods.length === 1 ? steadySql(toUs(only.offsetMs)) : changingSql(periods, isLate)
  return {
    timeZone,
    range,
    instant: (beginUs, width) => (isCutByChanges(width) ? beginUs : toUs(instantOf(toMs(beginUs), timeZone))),
    hasHoursOfUtc: periods.every(
      ({ offsetMs, startMs: ms }, index) => isWholeHour(offsetMs) && (index === 0 || isWholeHour(ms)),
    ),
    ...sql,
  }
}

const isWholeHour = (ms: number): boolean => toUs(ms) % hourUs === 0n

type ClockSql = Pick<ZoneClock, 'local' | 'begin' | 'prelude'>

const steadySql = (offsetUs: bigint): ClockSql => ({
  local: (start) => `(${start} + toInt64(${offsetUs}))`,
  begin: (local, _start, width) => (isCutByChanges(width) ? `(${local} - toInt64(${offsetUs}))` : local),
  prelude: '',
})

/** Looks up the period of each start by binary search among the few periods of the range. */
function changingSql(periods: readonly ClockPeriod[], isLate: boolean): ClockSql {
  const starts = 'clock_starts'
  const inCycle = (start: string): string =>
    isLate
      ? `if(${start} < toInt64(${repeatUs}), ${start}, toInt64(${repeatUs - cycleUs}) + (${start} - toInt64(${repeatUs})) % toInt64(${cycleUs}))`
      : start
  /** The difference between a start and its equivalent within the cycle. */
  const cycles = (start: string): string => (isLate ? ` + (${start} - ${inCycle(start)})` : '')
  const periodOf = (start: string): string => `roundDown(${inCycle(start)}, ${starts})`
  const offset = (start: string): string => `transform(${periodOf(start)}, ${starts}, clock_offsets)`
  const latestBefore = (start: string): string =>
    `transform(${periodOf(start)}, ${starts}, clock_latest)${cycles(start)}`
  return {
    local: (start, width) =>
      isCutByChanges(width)
        ? `(${start} + ${offset(start)})`
        : `greatest(${start} + ${offset(start)}, ${latestBefore(start)})`,
    begin: (local, start, width) =>
      isCutByChanges(width)
        ? `greatest(${local} - ${offset(start)}, ${periodOf(start)}${cycles(start)})`
        : local,
    prelude: `WITH ${listOf(periods.map((period) => toUs(period.startMs)))} AS clock_starts,
      ${listOf(periods.map((period) => toUs(period.offsetMs)))} AS clock_offsets,
      ${listOf(periods.map((period) => toUs(period.latestBeforeMs)))} AS clock_latest`,
  }
}

/** For longer ranges only the hours with traces are covered, to limit the number of clock changes. */
const rangeMaxUs = 200n * 366n * 24n * hourUs

/** The clock of a zone for all traces of a workspace in a range, which may be open. */
export async function readZoneClock(
  clients: Clients,
  workspaceId: string,
  timeZone: string | undefined,
  { fromUs, toUs: endUs }: OpenRange,
): Promise<ZoneClock> {
  if (timeZone === undefined || timeZone === 'UTC') return utcClock
  if (fromUs !== undefined && endUs !== undefined && endUs - fromUs <= rangeMaxUs)
    return makeZoneClock(timeZone, { fromUs, toUs: endUs > fromUs ? endUs : fromUs })
  const hours = await readHours(clients, workspaceId)
  const start = fromUs === undefined || fromUs < hours.fromUs ? hours.fromUs : fromUs
  const end = endUs === undefined || endUs > hours.toUs ? hours.toUs : endUs
  return makeZoneClock(timeZone, { fromUs: start, toUs: end > start ? end : start })
}

/**
 * From the first hour with traces to the end of the last, by key; this includes hours whose traces retention has
 * deleted.
 */
async function readHours(clients: Clients, workspaceId: string): Promise<BoundRange> {
  const readHour = async (direction: 'ASC' | 'DESC'): Promise<bigint | undefined> => {
    const [row] = await clients.search<{ hour: string }>(
      `SELECT toString(hour_us) AS hour FROM traces_hourly WHERE workspace_id = {workspace:String}
       ORDER BY hour_us ${direction} LIMIT 1`,
      { workspace: workspaceId },
    )
    return row && BigInt(row.hour)
  }
  const [first = 0n, last = 0n] = await Promise.all([readHour('ASC'), readHour('DESC')])
  return { fromUs: first, toUs: last + hourUs }
}
