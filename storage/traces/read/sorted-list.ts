/** Lists in another order than that of the primary key. */
import { fieldEntries, type TraceSort } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { readRow, selectList, summaryColumns } from '../rows/read-rows.ts'
import type { TraceSummary } from '../rows/row-types.ts'
import type { SortedPosition, TraceFilters } from '../types.ts'
import { conditionsWithWords } from './list.ts'

const smallest = '-9223372036854775808'
const largest = 9e18

/**
 * The sort key as an integer: a floating-point number loses its last bit as a parameter, and a page that started one bit
 * off would repeat a trace. Unknown values sort lowest.
 */
function keyOf(sort: TraceSort): string {
  const field = fieldEntries.map(([, each]) => each).find((each) => each.sort?.name === sort)
  // Safe: the orders are those of the fields that have one, and what is listed is on the trace.
  const [column, { scale }] = [field!.column!, field!.sort!]
  if (field!.type === 'instant') return column
  // As floating-point literals: the engine compares no 64-bit integer with the other numbers.
  const clampLimit = (largest / scale).toExponential()
  const clamped = `least(greatest(toFloat64(${column}), -${clampLimit}), ${clampLimit})`
  return `ifNull(toInt64(round(${clamped} * ${scale})), toInt64(${smallest}))`
}

/**
 * A page in the requested order. First finds the keys, which reads small columns only; then reads the rows of the page
 * by primary key.
 */
export async function listSorted(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  {
    limit,
    sort,
    isAscending,
    before,
  }: { limit: number; sort: TraceSort; isAscending: boolean; before?: SortedPosition | undefined },
): Promise<{ traces: TraceSummary[]; next?: SortedPosition }> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const key = keyOf(sort)
  if (before !== undefined) {
    sql.push(
      `(${key}, start_us, trace_id) ${isAscending ? '>' : '<'} ({beforeKey:Int64}, {beforeStart:Int64}, {beforeTrace:UUID})`,
    )
  }
  const order = ['sort_key', 'start_us', 'trace_id'].map(
    (column) => `${column} ${isAscending ? 'ASC' : 'DESC'}`,
  )
  const matches = await clients.search<{ k: string; s: string; t: string }>(
    `SELECT toString(${key} AS sort_key) AS k, toString(start_us) AS s, toString(trace_id) AS t
     FROM traces WHERE ${sql.join(' AND ')} ORDER BY ${order.join(', ')} LIMIT {limit:UInt32}`,
    {
      ...parameters,
      limit: limit + 1,
      ...(before === undefined
        ? {}
        : { beforeKey: before.key, beforeStart: before.startUs, beforeTrace: before.traceId }),
    },
  )
  const page = matches.slice(0, limit)
  const last = page.at(-1)
  if (last === undefined) return { traces: [] }
  const rows = await clients.read<Record<string, unknown>>(
    `SELECT ${selectList(summaryColumns)} FROM traces
     WHERE workspace_id = {workspace:String} AND start_us IN (SELECT arrayJoin(arrayMap(start -> toInt64(start), {starts:Array(String)}))) AND trace_id IN {traces:Array(UUID)}
     ORDER BY revision`,
    { workspace: workspaceId, starts: page.map(({ s }) => s), traces: page.map(({ t }) => t) },
  )
  const byId = new Map(rows.map((row) => readRow(summaryColumns, row)).map((row) => [row.traceId, row]))
  const traces = page.flatMap(({ t }) => byId.get(t) ?? [])
  return matches.length > limit
    ? { traces, next: { key: BigInt(last.k), startUs: BigInt(last.s), traceId: last.t } }
    : { traces }
}
