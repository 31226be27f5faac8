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

/** In each stretch one window with `share` of its time. */
function windowsBetween(edges: readonly bigint[], share: number): Window[] {
  return edges.slice(1).map((end, index) => {
    const length = Number(end - edges[index]!)
    const width = Math.max(1, Math.round(length * share))
    const before = Math.floor(((index * goldenRatio) % 1) * Math.max(0, length - width))
    const fromUs = edges[index]! + BigInt(before)
    return { fromUs, toUs: fromUs + BigInt(width) }
  })
}

/** A condition on the column with the start of a trace. The windows are part of the statement, which has them many times. */
export const isInSample = ({ windows }: TraceSample, start: string): string =>
  `(${windows.map(({ fromUs, toUs }) => `${start} >= ${fromUs} AND ${start} < ${toUs}`).join(' OR ')})`

/** The number of the replicate of a row that is in the sample. */
export function replicateOf({ windows }: TraceSample, start: string): string {
  const starts = `CAST([${windows.map(({ fromUs }) => fromUs).join(', ')}], 'Array(Int64)')`
  const numbers = `CAST([${windows.map((_window, index) => index % replicates).join(', ')}], 'Array(UInt8)')`
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
