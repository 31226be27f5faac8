/**
 * A sample of the traces of a list, for counts that need not be exact. It has all traces of some windows of time, which
 * lie together in each table, so that it costs the same however many traces there are.
 *
 * There is a window in each of as many stretches that have about the same number of traces. Every sixteenth window
 * belongs to the same replicate: how much the replicates differ tells the error, whatever changes over time.
 */
import type { Clients } from '../engine/clients.ts'
import { wordConditions } from '../filters/words.ts'
import type { Estimate, SampleSize, TraceFilters } from '../types.ts'
import { conditionsWithWords, hasWords } from './list.ts'

const windows = 64
export const replicates = 16
/** Student's t for 95 % and the degrees of freedom that the replicates have. */
const studentT = 2.131
/** The part of a stretch before its window changes from one to the next, or windows could follow a rhythm of the traces. */
const goldenRatio = 0.618_033_988_749_895

export const usualSampleSize: SampleSize = { traces: 50_000, listMax: 200_000, listMaxWithTexts: 50_000 }

export interface TraceSample {
  /** The traces that it is taken from; where a search reads texts, with those that have other texts. */
  readonly total: number
  /** Which of them to look for: those that count are among them. */
  readonly base: TraceFilters
  readonly windows: readonly Window[]
}

export interface Window {
  readonly fromUs: bigint
  readonly toUs: bigint
}

/** Undefined if the list is so short that all of its traces are counted. */
export async function takeSample(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  size: SampleSize,
): Promise<TraceSample | undefined> {
  const readsTexts = hasWords(filters) && wordConditions(filters.q).readsTexts
  const { q: _, ...filtersWithoutWords } = filters
  const base = readsTexts ? filtersWithoutWords : filters
  const { sql, parameters } = conditionsWithWords(workspaceId, base)
  const levels = Array.from({ length: windows + 1 }, (_level, index) => index / windows)
  const [row] = await clients.search<{ total: string; edges: string[] }>(
    `SELECT toString(count()) AS total,
       arrayMap(x -> toString(toInt64(ifNotFinite(x, 0))), quantilesDeterministic(${levels.join(', ')})(start_us, toUInt64(start_us))) AS edges
     FROM traces WHERE ${sql.join(' AND ')}`,
    parameters,
  )
  const total = Number(row?.total ?? 0)
  if (row === undefined || total <= (readsTexts ? size.listMaxWithTexts : size.listMax)) return undefined
  return { total, base, windows: windowsBetween(row.edges.map(BigInt), size.traces / total) }
}

/**
 * In each stretch one window with `share` of its time. Where many traces start at one instant, several stretches begin
 * there; of their windows the longest has what all have.
 */
export function windowsBetween(edges: readonly bigint[], share: number): Window[] {
  const ends = new Map<bigint, bigint>()
  for (const [index, end] of edges.slice(1).entries()) {
    const length = Number(end - edges[index]!)
    const width = Math.max(1, Math.round(length * share))
    const before = Math.floor(((index * goldenRatio) % 1) * Math.max(0, length - width))
    const fromUs = edges[index]! + BigInt(before)
    const toUs = fromUs + BigInt(width)
    const otherUs = ends.get(fromUs)
    if (otherUs === undefined || otherUs < toUs) ends.set(fromUs, toUs)
  }
  return [...ends].map(([fromUs, toUs]) => ({ fromUs, toUs }))
}

/** How many periods the windows are covered with. */
const periodsOfWindows = 256

/**
 * A condition on the column with the start of a trace. The windows are part of the statement, which has them several times.
 * The primary key serves the list of the periods that windows reach into; a range for each window would take longer to plan
 * and to compare than such rows take to be counted.
 */
export function isInSample({ windows }: TraceSample, start: string): string {
  const starts = startsOf(windows)
  const ends = listOf(
    windows.map(({ toUs }) => toUs),
    'Int64',
  )
  return `(${isInPeriods(windows, start)} AND ${start} >= ${windows[0]?.fromUs ?? 0}
    AND ${start} < transform(roundDown(${start}, ${starts}), ${starts}, ${ends}, toInt64(0)))`
}

const startsOf = (windows: readonly Window[]): string =>
  listOf(
    windows.map(({ fromUs }) => fromUs),
    'Int64',
  )

function isInPeriods(windows: readonly Window[], start: string): string {
  const totalUs = windows.reduce((total, { fromUs, toUs }) => total + toUs - fromUs, 0n)
  const periodUs = totalUs / BigInt(periodsOfWindows) + 1n
  const periods = new Set<bigint>()
  for (const { fromUs, toUs } of windows)
    for (let period = fromUs / periodUs; period <= (toUs - 1n) / periodUs; period++) periods.add(period)
  return `intDiv(${start}, ${periodUs}) IN (${[...periods].join(', ')})`
}

const listOf = (values: readonly (bigint | number)[], type: string): string =>
  `CAST([${values.join(', ')}], 'Array(${type})')`

/** The number of the replicate of a row that is in the sample. */
export function replicateOf({ windows }: TraceSample, start: string): string {
  const starts = startsOf(windows)
  const numbers = listOf(
    windows.map((_window, index) => index % replicates),
    'UInt8',
  )
  return `transform(roundDown(${start}, ${starts}), ${starts}, ${numbers}, toUInt8(0))`
}

/** Of the traces of a sample by replicate: those of it that count, and all. */
export function estimateCount(
  total: number,
  counts: readonly number[],
  sampleCounts: readonly number[],
): Estimate {
  const sampleTraces = sum(sampleCounts)
  if (sampleTraces === 0) return { count: 0, marginOfError: total }
  const share = sum(counts) / sampleTraces
  const squares = counts.map((count, index) => (count - share * sampleCounts[index]!) ** 2)
  const variance = (sum(squares) * replicates) / (replicates - 1)
  const unread = Math.max(0, 1 - sampleTraces / total)
  const error = (Math.sqrt(variance * unread) / sampleTraces) * studentT
  return { count: Math.round(total * share), marginOfError: Math.ceil(total * error) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
