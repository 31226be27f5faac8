/** Traces over time, for the histogram above a list, with the same filters. */
import type { Clients } from '../engine/clients.ts'
import { storedConditions } from '../filters/filters.ts'
import type { Histogram, HistogramRange, TraceFilters } from '../types.ts'
import { conditionsWithWords } from './list.ts'

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
  const buckets = await countBuckets(clients, workspaceId, filters, fullWidthUs)
  const range = await boundRange(filters, async () => rangeOf(buckets))
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
            widthUs,
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
async function rangeOfAll(
  clients: Clients,
  workspaceId: string,
  { fromUs, toUs }: TraceFilters,
): Promise<HistogramRange | undefined> {
  const { sql, parameters } = storedConditions(workspaceId, { fromUs, toUs })
  const readStart = async (direction: 'ASC' | 'DESC'): Promise<bigint | undefined> => {
    const [row] = await clients.read<{ start: string }>(
      `SELECT toString(start_us) AS start FROM traces WHERE ${sql.join(' AND ')}
       ORDER BY start_us ${direction} LIMIT 1 SETTINGS read_in_order_use_buffering = 0`,
      parameters,
    )
    return row && BigInt(row.start)
  }
  const [firstUs, lastUs] = await Promise.all([readStart('ASC'), readStart('DESC')])
  return firstUs === undefined || lastUs === undefined ? undefined : { firstUs, lastUs }
}

type Bucket = Histogram['buckets'][number] & HistogramRange

/** In the order of time; buckets start at multiples of `widthUs`. */
async function countBuckets(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  widthUs: bigint,
): Promise<Bucket[]> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const rows = await clients.search<
    Record<'b' | 'n' | 'e' | 'first' | 'last', string> & { c: number | null }
  >(
    `SELECT toString(start_us - positiveModulo(start_us, {width:Int64}) AS bucket) AS b, toString(count()) AS n,
       toString(countIf(errors > 0)) AS e, sum(cost) AS c, toString(min(start_us)) AS first, toString(max(start_us)) AS last
     FROM traces WHERE ${sql.join(' AND ')} GROUP BY bucket ORDER BY bucket`,
    { ...parameters, width: widthUs },
  )
  return rows.map(({ b, n, e, c, first, last }) => ({
    startUs: BigInt(b),
    traces: Number(n),
    failed: Number(e),
    cost: c,
    firstUs: BigInt(first),
    lastUs: BigInt(last),
  }))
}

function rangeOf(buckets: readonly Bucket[]): HistogramRange | undefined {
  const [first, last] = [buckets[0], buckets.at(-1)]
  return first && last && { firstUs: first.firstUs, lastUs: last.lastUs }
}
