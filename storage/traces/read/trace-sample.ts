/**
 * A sample of the traces of a list, for counts that need not be exact. It consists of all traces in some time windows,
 * which are stored together in each table, so it costs the same however many traces there are.
 *
 * The time range is divided into stretches with about the same number of traces, and each stretch contains one window.
 * Every sixteenth window belongs to the same replicate: the differences between replicates give the error, however the
 * traces change over time.
 */
import type { Clients } from '../engine/clients.ts'
import { wordConditions } from '../filters/words.ts'
import type { Estimate, SampleSize, TraceFilters } from '../types.ts'
import { conditionsWithWords, hasWords } from './list.ts'

const windows = 64
export const replicates = 16
/** Student's t for 95 % and the degrees of freedom of the replicates. */
const studentT = 2.131
/** Shifts each window within its stretch, so that the windows do not coincide with a rhythm of the traces. */
const goldenRatio = 0.618_033_988_749_895

export const usualSampleSize: SampleSize = { traces: 50_000, listMax: 200_000, listMaxWithTexts: 50_000 }

export interface TraceSample {
  /**
   * The number of traces that are sampled from. If a search reads texts, traces that do not match the words are
   * included.
   */
  readonly total: number
  /** The filters of the traces that are sampled from, which include the counted ones. */
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
 * One window in each stretch, with `share` of its time. If many traces start at one instant, several stretches begin
 * there; the longest of their windows covers the others.
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

/** About how many periods cover the windows. */
const periodsOfWindows = 256

/**
 * A condition on the column with the start of a trace. The windows are literals, repeated several times in the
 * statement. The primary key serves the list of periods that the windows overlap; a range for each window would take
 * longer to plan and to compare than counting the rows of those periods.
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

/** The replicate number of a row in the sample. */
export function replicateOf({ windows }: TraceSample, start: string): string {
  const starts = startsOf(windows)
  const numbers = listOf(
    windows.map((_window, index) => index % replicates),
    'UInt8',
  )
  return `transform(roundDown(${start}, ${starts}), ${starts}, ${numbers}, toUInt8(0))`
}

/** Estimates a count from the matching traces and all traces of each replicate. */
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
