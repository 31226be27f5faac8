/** Lists in an order other than the primary key's. */
import { fieldEntries, type TraceSort } from '@plumbline/contract'
import type { Clients } from '../engine/clients.ts'
import { readRow, selectList, summaryColumns } from '../rows/read-rows.ts'
import type { TraceSummary } from '../rows/row-types.ts'
import type { SortedPosition, TraceFilters } from '../types.ts'
import { conditionsWithWords } from './list.ts'

interface SortKey {
  /** The expression to sort by; null for unknown values, which sort lowest. */
  readonly value: string
  /** The same as an integer: as a parameter, a floating-point number loses its last bit. */
  readonly key: string
  /** The value of the key at the end of the previous page. */
  readonly valueBefore: string
}

function sortKeyOf(sort: TraceSort): SortKey {
  const field = fieldEntries.map(([, each]) => each).find((each) => each.sort === sort)
  // Safe: every sort order belongs to a field, and sortable fields are columns of the trace.
  const value = `(${field!.column!})`
  return field!.type === 'instant'
    ? { value, key: value, valueBefore: '{beforeKey:Int64}' }
    : {
        value,
        key: `reinterpretAsInt64(toFloat64(${value}))`,
        valueBefore: 'reinterpretAsFloat64({beforeKey:Int64})',
      }
}

/** Matches rows after a position. A comparison with an unknown value is never true. */
function afterPosition(
  { value, valueBefore }: SortKey,
  { key }: SortedPosition,
  isAscending: boolean,
): string {
  const [sign, start, trace] = [isAscending ? '>' : '<', '{beforeStart:Int64}', '{beforeTrace:UUID}']
  const isLaterAmongUnknown = `(start_us, trace_id) ${sign} (${start}, ${trace})`
  const isLater = `(${value}, start_us, trace_id) ${sign} (${valueBefore}, ${start}, ${trace})`
  if (isAscending) return key === null ? `(${value} IS NOT NULL OR ${isLaterAmongUnknown})` : isLater
  return key === null ? `${value} IS NULL AND ${isLaterAmongUnknown}` : `(${value} IS NULL OR ${isLater})`
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
  const sortKey = sortKeyOf(sort)
  if (before !== undefined) sql.push(afterPosition(sortKey, before, isAscending))
  const [direction, nulls] = isAscending ? ['ASC', 'FIRST'] : ['DESC', 'LAST']
  const matches = await clients.search<{ k: string | null; s: string; t: string }>(
    `SELECT toString(${sortKey.key}) AS k, toString(start_us) AS s, toString(trace_id) AS t
     FROM traces WHERE ${sql.join(' AND ')}
     ORDER BY ${sortKey.value} ${direction} NULLS ${nulls}, start_us ${direction}, trace_id ${direction}
     LIMIT {limit:UInt32}`,
    {
      ...parameters,
      limit: limit + 1,
      ...(before === undefined
        ? {}
        : { beforeKey: before.key ?? 0n, beforeStart: before.startUs, beforeTrace: before.traceId }),
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
    ? {
        traces,
        next: { key: last.k === null ? null : BigInt(last.k), startUs: BigInt(last.s), traceId: last.t },
      }
    : { traces }
}
