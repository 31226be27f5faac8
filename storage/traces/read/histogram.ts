/** Traces over time, for the histogram above a list, with the same filters. */
import type { Clients, Parameters } from '../engine/clients.ts'
import { storedConditions, traceConditions } from '../filters/filters.ts'
import type { Conditions } from '../filters/where.ts'
import { withoutJudges } from '../filters/without-judges.ts'
import { tracesHourly } from '../metrics/metrics-sources.ts'
import { fromRollUp, hasRolledUp, hasWholeHour } from '../metrics/roll-ups.ts'
import { hourUs } from '../metrics/time-buckets.ts'
import type { Histogram, HistogramBucket, HistogramRange, TraceFilters } from '../types.ts'
import { conditionsWithWords, hasWords } from './list.ts'

/**
 * Counts for each non-empty bucket of the width that suits the range, which the filters bound, or else the matching
 * traces; undefined if nothing bounds it. Where these traces begin and end is known once they are counted. So the width is
 * first that of all traces, whose first and last are read by key, and most filters keep it; else they are counted again.
 */
export async function countOverTime(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  chooseWidth: (range: HistogramRange) => bigint,
): Promise<Histogram | undefined> {
  const fullRange = await boundRange(filters, () => rangeOfAll(clients, workspaceId, filters))
  if (fullRange === undefined) return undefined
  const fullWidthUs = chooseWidth(fullRange)
  const buckets = await countBuckets(clients, workspaceId, filters, {
    widthUs: fullWidthUs,
    storedFromUs: fullRange.firstUs,
  })
  const range = await boundRange(filters, () =>
    rangeOfMatches(clients, workspaceId, filters, { buckets, widthUs: fullWidthUs }),
  )
  if (range === undefined) return undefined
  const widthUs = chooseWidth(range)
  return {
    range,
    widthUs,
    buckets:
      widthUs === fullWidthUs
        ? buckets
        : await countBuckets(
            clients,
            workspaceId,
            { ...filters, fromUs: range.firstUs, toUs: range.lastUs + 1n },
            { widthUs, storedFromUs: range.firstUs },
          ),
  }
}

/** What the filters say, and for an end that they leave open what traces say. */
async function boundRange(
  { fromUs, toUs }: TraceFilters,
  readRange: () => Promise<HistogramRange | undefined>,
): Promise<HistogramRange | undefined> {
  const range = fromUs === undefined || toUs === undefined ? await readRange() : undefined
  const firstUs = fromUs ?? range?.firstUs
  const lastUs = toUs === undefined ? range?.lastUs : toUs - 1n
  return firstUs === undefined || lastUs === undefined || lastUs < firstUs ? undefined : { firstUs, lastUs }
}

/** The first and the last start of all traces in the time of the filters, from the ends of the primary key. */
function rangeOfAll(
  clients: Clients,
  workspaceId: string,
  { fromUs, toUs }: TraceFilters,
): Promise<HistogramRange | undefined> {
  const conditions = storedConditions(workspaceId, { fromUs, toUs })
  return readRange(clients, { first: conditions, last: conditions })
}

/** The same of the matching traces, which are looked for in the first bucket and in the last one alone. */
async function rangeOfMatches(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { buckets, widthUs }: Pick<Histogram, 'buckets' | 'widthUs'>,
): Promise<HistogramRange | undefined> {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return readRange(clients, {
    first: conditionsWithWords(workspaceId, {
      ...filters,
      toUs: earlier(filters.toUs, first.startUs + widthUs),
    }),
    last: conditionsWithWords(workspaceId, { ...filters, fromUs: later(filters.fromUs, last.startUs) }),
  })
}

const earlier = (endUs: bigint | undefined, otherUs: bigint): bigint =>
  endUs === undefined || otherUs < endUs ? otherUs : endUs
const later = (startUs: bigint | undefined, otherUs: bigint): bigint =>
  startUs === undefined || otherUs > startUs ? otherUs : startUs

/** The first start under one condition, and the last under another; undefined where there is none. */
async function readRange(
  clients: Clients,
  { first, last }: Readonly<Record<'first' | 'last', Conditions>>,
): Promise<HistogramRange | undefined> {
  const readStart = async (direction: 'ASC' | 'DESC', { sql, parameters }: Conditions) => {
    const [row] = await clients.search<{ start: string }>(
      `SELECT toString(start_us) AS start FROM traces WHERE ${sql.join(' AND ')}
       ORDER BY start_us ${direction} LIMIT 1 SETTINGS read_in_order_use_buffering = 0`,
      parameters,
    )
    return row && BigInt(row.start)
  }
  const [firstUs, lastUs] = await Promise.all([readStart('ASC', first), readStart('DESC', last)])
  return firstUs === undefined || lastUs === undefined ? undefined : { firstUs, lastUs }
}

/**
 * In the order of time; buckets start at multiples of `widthUs`. The hourly sums go on counting traces whose retention has
 * ended, so they answer only where they count as many traces as there are.
 */
async function countBuckets(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { widthUs, storedFromUs }: { readonly widthUs: bigint; readonly storedFromUs: bigint },
): Promise<HistogramBucket[]> {
  if (canUseSums(filters, widthUs)) {
    // Hours before the first trace that is stored have expired.
    const ofStored = { ...filters, fromUs: later(filters.fromUs, storedFromUs) }
    const [buckets, traces] = await Promise.all([
      readBuckets(clients, bucketsOfSums(workspaceId, ofStored), widthUs),
      countTraces(clients, workspaceId, filters),
    ])
    if (buckets.reduce((sum, bucket) => sum + bucket.traces, 0) === traces) return buckets
  }
  return readBuckets(clients, bucketsOfRows(workspaceId, filters), widthUs)
}

async function readBuckets(
  clients: Clients,
  { sql, parameters }: Statement,
  widthUs: bigint,
): Promise<HistogramBucket[]> {
  const rows = await clients.search<Record<'b' | 'n' | 'e', string> & { c: number | null }>(sql, {
    ...parameters,
    width: widthUs,
  })
  return rows.map(({ b, n, e, c }) => ({
    startUs: BigInt(b),
    traces: Number(n),
    failed: Number(e),
    cost: c,
  }))
}

async function countTraces(clients: Clients, workspaceId: string, filters: TraceFilters): Promise<number> {
  const { sql, parameters } = traceConditions(workspaceId, filters)
  const [row] = await clients.search<{ n: string }>(
    `SELECT toString(count()) AS n FROM traces WHERE ${sql.join(' AND ')}`,
    parameters,
  )
  return Number(row?.n)
}

interface Statement {
  readonly sql: string
  readonly parameters: Parameters
}

function bucketsOfRows(workspaceId: string, filters: TraceFilters): Statement {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  return {
    sql: `SELECT toString(${bucketOf('start_us')} AS bucket) AS b, toString(count()) AS n,
        toString(countIf(errors > 0)) AS e, sum(cost) AS c
      FROM traces WHERE ${sql.join(' AND ')} GROUP BY bucket ORDER BY bucket`,
    parameters,
  }
}

const bucketOf = (start: string): string => `${start} - positiveModulo(${start}, {width:Int64})`

/** Whether the hourly sums are kept apart by all that the filters ask for, and no bucket ends within an hour. */
const canUseSums = (filters: TraceFilters, widthUs: bigint): boolean =>
  widthUs % hourUs === 0n &&
  hasWholeHour(filters) &&
  !hasWords(filters) &&
  filters.receivedFromMs === undefined &&
  (filters.where ?? []).every((condition) => hasRolledUp(tracesHourly, condition))

function bucketsOfSums(workspaceId: string, filters: TraceFilters): Statement {
  const conditions = storedConditions(workspaceId, filters)
  const { from, where, parameters } = fromRollUp(
    filters,
    tracesHourly,
    [...conditions.sql, ...withoutJudges(filters.where)],
    conditions.parameters,
  )
  return {
    sql: `SELECT toString(${bucketOf('hour_us')} AS bucket) AS b, toString(sum(traces)) AS n,
        toString(sum(failed_traces)) AS e, if(sum(priced) = 0, NULL, sum(cost)) AS c
      FROM ${from} WHERE ${where.join(' AND ')} GROUP BY bucket HAVING sum(traces) > 0 ORDER BY bucket`,
    parameters,
  }
}
