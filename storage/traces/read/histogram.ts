/** Traces over time, for the histogram above a list, with the same filters. */
import type { Clients } from '../engine/clients.ts'
import { storedConditions, traceConditions } from '../filters/filters.ts'
import { withoutJudges } from '../filters/without-judges.ts'
import { tracesHourly } from '../metrics/metrics-sources.ts'
import { fromRollUp, hasWholeHour, splitHours } from '../metrics/roll-ups.ts'
import { bucketOf, bucketStartUs, hourUs } from '../metrics/time-buckets.ts'
import { readZoneClock, type ZoneClock } from '../metrics/zone-clock.ts'
import type { Histogram, HistogramBucket, HistogramOptions, HistogramRange, TraceFilters } from '../types.ts'
import { conditionsWithWords, hasWords } from './list.ts'

/**
 * Counts for each non-empty bucket, with a bucket width that suits the range. The range comes from the filters or else
 * from the matching traces; the result is undefined if neither bounds it. The range of the matching traces is known
 * only after they are counted. So the first width is based on all traces, whose first and last are read by key. With
 * most filters that width is still right; otherwise the traces are counted again. Without filters all traces match, and
 * the hourly sums may be used.
 */
export async function countOverTime(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { chooseWidth, includesLater = false, timeZone = 'UTC' }: HistogramOptions,
): Promise<Histogram | undefined> {
  const toUs = includesLater ? undefined : filters.toUs
  const countedFilters = { ...filters, toUs }
  const fullRange = await boundRange(filters, () => rangeOfAll(clients, workspaceId, countedFilters))
  if (fullRange === undefined) return undefined
  const clock = await readZoneClock(clients, workspaceId, timeZone, {
    fromUs: fullRange.firstUs,
    toUs: fullRange.lastUs + 1n,
  })
  const fullWidthUs = chooseWidth(fullRange)
  if (isUnfiltered(filters)) {
    const sums = await readSums(clients, workspaceId, countedFilters, fullRange.firstUs, {
      widthUs: fullWidthUs,
      clock,
    })
    if (sums !== undefined) {
      const buckets = withLater(sums, filters, { widthUs: fullWidthUs, clock })
      return { range: withBuckets(fullRange, buckets), widthUs: fullWidthUs, buckets }
    }
  }
  const count = async (bucketFilters: TraceFilters, widthUs: bigint) =>
    withLater(await countBuckets(clients, workspaceId, bucketFilters, { widthUs, clock }), filters, {
      widthUs,
      clock,
    })
  const buckets = await count(countedFilters, fullWidthUs)
  const range = await boundRange(filters, async () => rangeOf(buckets))
  if (range === undefined) return undefined
  const widthUs = chooseWidth(range)
  if (widthUs === fullWidthUs) return { range, widthUs, buckets }
  const end = includesLater ? undefined : range.lastUs + 1n
  const narrower = await count({ ...filters, fromUs: range.firstUs, toUs: end }, widthUs)
  // A trace may have moved out of the range since it was read. The first count is consistent.
  return sumTraces(narrower) === sumTraces(buckets)
    ? { range, widthUs, buckets: narrower }
    : { range, widthUs: fullWidthUs, buckets }
}

/** The width of buckets, and the time zone whose days they follow. */
interface Grid {
  readonly widthUs: bigint
  readonly clock: ZoneClock
}

const widthMsOf = ({ widthUs }: Grid): number => Number(widthUs / 1000n)

/** Counts of buckets after the end of the filters are added to the last bucket before it. */
function withLater<Of extends HistogramBucket>(
  buckets: readonly Of[],
  { toUs }: TraceFilters,
  grid: Grid,
): readonly Of[] {
  if (toUs === undefined) return buckets
  const lastStartUs = bucketStartUs(toUs - 1n, widthMsOf(grid), grid.clock.timeZone)
  const merged = buckets.filter(({ startUs }) => startUs >= lastStartUs)
  const [first] = merged
  if (first === undefined) return buckets
  const costs = merged.flatMap(({ cost }) => cost ?? [])
  const last = {
    ...first,
    startUs: lastStartUs,
    traces: sumTraces(merged),
    failed: merged.reduce((sum, { failed }) => sum + failed, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  }
  return [...buckets.filter(({ startUs }) => startUs < lastStartUs), last]
}

const sumTraces = (buckets: readonly HistogramBucket[]): number =>
  buckets.reduce((sum, { traces }) => sum + traces, 0)

/** Widens the range to the buckets: a trace with a later start may have arrived since the range was read. */
function withBuckets(range: HistogramRange, buckets: readonly HistogramBucket[]): HistogramRange {
  const lastBucketUs = buckets.at(-1)?.startUs ?? range.lastUs
  return { ...range, lastUs: lastBucketUs > range.lastUs ? lastBucketUs : range.lastUs }
}

/** Whether the filters contain only a range. */
const isUnfiltered = (filters: TraceFilters): boolean =>
  (filters.where ?? []).length === 0 && filters.receivedFromMs === undefined && !hasWords(filters)

/** The range of the filters, with open ends taken from the traces. */
async function boundRange(
  { fromUs, toUs }: TraceFilters,
  readRange: () => Promise<HistogramRange | undefined>,
): Promise<HistogramRange | undefined> {
  const range = fromUs === undefined || toUs === undefined ? await readRange() : undefined
  const lastUs = toUs === undefined ? range?.lastUs : toUs - 1n
  // All traces may start after the end.
  const earliestUs =
    range !== undefined && lastUs !== undefined && range.firstUs > lastUs ? lastUs : range?.firstUs
  const firstUs = fromUs ?? earliestUs
  return firstUs === undefined || lastUs === undefined || lastUs < firstUs ? undefined : { firstUs, lastUs }
}

/** The first and the last start of all traces in the filtered range, from the ends of the primary key. */
async function rangeOfAll(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
): Promise<HistogramRange | undefined> {
  const { fromUs, toUs } = filters
  // A filter may request judge calls, which are left out otherwise.
  const conditionsOf = isUnfiltered(filters) ? traceConditions : storedConditions
  const { sql, parameters } = conditionsOf(workspaceId, { fromUs, toUs })
  const readStart = async (direction: 'ASC' | 'DESC'): Promise<bigint | undefined> => {
    const [row] = await clients.search<{ start: string }>(
      `SELECT toString(start_us) AS start FROM traces WHERE ${sql.join(' AND ')}
       ORDER BY start_us ${direction} LIMIT 1 SETTINGS read_in_order_use_buffering = 0`,
      parameters,
    )
    return row && BigInt(row.start)
  }
  const [firstUs, lastUs] = await Promise.all([readStart('ASC'), readStart('DESC')])
  return firstUs === undefined || lastUs === undefined ? undefined : { firstUs, lastUs }
}

/**
 * The result of `countBuckets` without filters, from the hourly sums. The sums still include traces whose retention has
 * ended, most of which are older than the first trace. Undefined if the sums do not add up to the number of stored
 * traces.
 */
async function readSums(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  firstUs: bigint,
  grid: Grid,
): Promise<readonly HistogramBucket[] | undefined> {
  const withTraces = { ...filters, fromUs: firstUs }
  const hours = splitHours(grid.clock, widthMsOf(grid))
  if (grid.widthUs % hourUs !== 0n || hours === undefined || !hasWholeHour(withTraces)) return undefined
  const [buckets, traces] = await Promise.all([
    sumBuckets(clients, workspaceId, { ...withTraces, splitHours: hours }, grid),
    countTraces(clients, workspaceId, filters),
  ])
  return sumTraces(buckets) === traces ? buckets : undefined
}

async function sumBuckets(
  clients: Clients,
  workspaceId: string,
  { splitHours: hours, ...filters }: TraceFilters & { readonly splitHours: readonly bigint[] },
  grid: Grid,
): Promise<HistogramBucket[]> {
  const conditions = storedConditions(workspaceId, filters)
  const { from, where, parameters } = fromRollUp(
    { ...filters, splitHours: hours },
    tracesHourly,
    [...conditions.sql, ...withoutJudges()],
    conditions.parameters,
  )
  const rows = await clients.search<Counts>(
    `${grid.clock.prelude} SELECT toString(${bucketOf('hour_us', widthMsOf(grid), grid.clock)} AS bucket) AS b, toString(sum(traces)) AS n,
       toString(sum(failed_traces)) AS e, if(sum(priced) = 0, NULL, sum(cost)) AS c
     FROM ${from} WHERE ${where.join(' AND ')} GROUP BY bucket HAVING sum(traces) > 0 ORDER BY bucket`,
    parameters,
  )
  return rows.map((counts) => toBucket(counts, grid))
}

async function countTraces(clients: Clients, workspaceId: string, filters: TraceFilters): Promise<number> {
  const { sql, parameters } = traceConditions(workspaceId, filters)
  const [row] = await clients.search<{ n: string }>(
    `SELECT toString(count()) AS n FROM traces WHERE ${sql.join(' AND ')}`,
    parameters,
  )
  return Number(row?.n)
}

type Counts = Readonly<Record<'b' | 'n' | 'e', string>> & { readonly c: number | null }

const toBucket = ({ b, n, e, c }: Counts, grid: Grid): HistogramBucket => ({
  startUs: grid.clock.instant(BigInt(b), widthMsOf(grid)),
  traces: Number(n),
  failed: Number(e),
  cost: c,
})

type Bucket = HistogramBucket & HistogramRange

/** In chronological order; buckets start at multiples of the width. */
async function countBuckets(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  grid: Grid,
): Promise<Bucket[]> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const rows = await clients.search<Counts & Record<'first' | 'last', string>>(
    `${grid.clock.prelude} SELECT toString(${bucketOf('start_us', widthMsOf(grid), grid.clock)} AS bucket) AS b, toString(count()) AS n,
       toString(countIf(errors > 0)) AS e, sum(cost) AS c, toString(min(start_us)) AS first, toString(max(start_us)) AS last
     FROM traces WHERE ${sql.join(' AND ')} GROUP BY bucket ORDER BY bucket`,
    parameters,
  )
  return rows.map(({ first, last, ...counts }) => ({
    ...toBucket(counts, grid),
    firstUs: BigInt(first),
    lastUs: BigInt(last),
  }))
}

function rangeOf(buckets: readonly Bucket[]): HistogramRange | undefined {
  const [first, last] = [buckets[0], buckets.at(-1)]
  return first && last && { firstUs: first.firstUs, lastUs: last.lastUs }
}
