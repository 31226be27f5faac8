/** The clocks of a time zone over a range, as SQL: no calendar of the engine takes part, which ends in 1900 and 2299. */
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
  /** What it is of; absent for UTC, whose clock is that of all times. */
  readonly range: BoundRange | undefined
  /** SQL of what clocks show, or of the latest that they have shown where buckets do not begin anew at a change. */
  local(start: string, width: BucketWidth): string
  /** SQL of the instant of a local time at which a bucket begins, where buckets begin anew at a change; else the local time. */
  begin(local: string, start: string, width: BucketWidth): string
  /** The instant of what `begin` selects. */
  instant(beginUs: bigint, width: BucketWidth): bigint
  /** Whether clocks always show full hours when UTC does, so that each of these is in one bucket. */
  readonly hasHoursOfUtc: boolean
  /** What stands before the `SELECT`. Hundreds of stretches are too long for parameters, which are in an address. */
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
  // A change before the range may reach into it. Later than the repeat, all periods of a cycle are needed.
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

/** With the period of each start looked up: by halves, among those of the range, which are few. */
function changingSql(periods: readonly ClockPeriod[], isLate: boolean): ClockSql {
  const starts = 'clock_starts'
  const inCycle = (start: string): string =>
    isLate
      ? `if(${start} < toInt64(${repeatUs}), ${start}, toInt64(${repeatUs - cycleUs}) + (${start} - toInt64(${repeatUs})) % toInt64(${cycleUs}))`
      : start
  /** What an instant of the cycle lacks to that of the start. */
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

/** Clocks of a longer time have more changes than need be known. */
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

/** From the first hour with traces to the end of the last, by key; sums remain of what retention has deleted. */
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
