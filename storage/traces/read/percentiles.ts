import { traceFields } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { traceConditions } from '../filters/filters.ts'
import type { TraceFilters, TraceRank } from '../types.ts'

/** The measures that traces are ranked by. */
const columns = {
  durationMs: traceFields.durationMs.column,
  cost: traceFields.cost.column,
  tokens: traceFields.tokens.column,
} as const

/** For each measure, the fraction of traces with no larger value, and the percentiles among them. */
export async function rankTrace(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  values: Readonly<Record<keyof typeof columns, number | null>>,
): Promise<{ traces: number; ranks: Record<keyof typeof columns, TraceRank> }> {
  const { sql, parameters } = traceConditions(workspaceId, filters)
  const selections = Object.entries(columns).map(
    ([name, column]) =>
      `countIf(${column} <= {${name}:Float64}) / nullIf(count(${column}), 0) AS ${name}_rank,
       quantilesExactInclusive(0.5, 0.95, 0.99)(${column}) AS ${name}_quantiles`,
  )
  const [row] = await clients.search<Record<string, unknown>>(
    `SELECT toString(count()) AS n, ${selections.join(', ')} FROM traces WHERE ${sql.join(' AND ')}`,
    { ...parameters, ...Object.fromEntries(Object.entries(values).map(([name, rank]) => [name, rank ?? 0])) },
  )
  const rankOf = (name: keyof typeof columns): TraceRank => {
    const [p50 = null, p95 = null, p99 = null] = (row?.[`${name}_quantiles`] ?? []) as (number | null)[]
    const rank = row?.[`${name}_rank`] as number | null | undefined
    const value = values[name]
    return { value, rank: value === null ? null : (rank ?? null), p50, p95, p99 }
  }
  return {
    traces: Number(row?.n ?? 0),
    ranks: { durationMs: rankOf('durationMs'), cost: rankOf('cost'), tokens: rankOf('tokens') },
  }
}
