/** Traces over time, for the histogram above a list, with the same filters. */
import type { Clients } from '../engine/clients.ts'
import type { HistogramBucket, TraceFilters } from '../types.ts'
import { conditionsWithWords } from './list.ts'

/** The first and last start of the matching traces; undefined if none match. */
export async function startsOf(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
): Promise<{ firstUs: bigint; lastUs: bigint } | undefined> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const [row] = await clients.search<{ n: string; first: string; last: string }>(
    `SELECT toString(count()) AS n, toString(min(start_us)) AS first, toString(max(start_us)) AS last
     FROM traces WHERE ${sql.join(' AND ')}`,
    parameters,
  )
  if (row === undefined || row.n === '0') return undefined
  return { firstUs: BigInt(row.first), lastUs: BigInt(row.last) }
}

/** Counts for each non-empty bucket of `widthUs`; buckets start at multiples of it. */
export async function countOverTime(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  widthUs: bigint,
): Promise<HistogramBucket[]> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const rows = await clients.search<{ b: string; n: string; e: string; c: number | null }>(
    `SELECT toString(start_us - positiveModulo(start_us, {width:Int64}) AS bucket) AS b, toString(count()) AS n,
       toString(countIf(errors > 0)) AS e, sum(cost) AS c
     FROM traces WHERE ${sql.join(' AND ')} GROUP BY bucket ORDER BY bucket`,
    { ...parameters, width: widthUs },
  )
  return rows.map(({ b, n, e, c }) => ({
    startUs: BigInt(b),
    traces: Number(n),
    failed: Number(e),
    cost: c,
  }))
}
