import type { Clients, Parameters } from '../engine/clients.ts'
import { storedConditions, traceConditions } from '../filters/filters.ts'
import type { Conditions } from '../filters/where.ts'
import { type WordConditions, wordConditions } from '../filters/words.ts'
import { type Columns, readRow, selectList, summaryColumns } from '../rows/read-rows.ts'
import type { Position, TraceFilters, TracePage } from '../types.ts'

/** The page of traces after `before`, newest start first. */
export const listTraces = (
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  page: { limit: number; before?: Position },
): Promise<TracePage> => pageOfTraces(clients, workspaceId, filters, page, summaryColumns)

/**
 * The same page with the given columns. A search that reads texts does so slice by slice of time until the page is full:
 * what is frequent is found among the newest.
 */
export async function pageOfTraces<Row extends { startUs: bigint; traceId: string }>(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { limit, before }: { limit: number; before?: Position | undefined },
  columns: Columns<Row>,
): Promise<{ traces: Row[]; next?: Position }> {
  const words = hasWords(filters) ? wordConditions(filters.q) : undefined
  const slices = words?.readsTexts === true ? timeSlices(clients, workspaceId, filters, before) : [filters]
  const rows: Record<string, unknown>[] = []
  for await (const slice of slices) {
    const { sql, parameters } = traceConditions(workspaceId, slice)
    if (before !== undefined) sql.push(beforePosition('start_us'))
    if (words !== undefined) sql.push(filterByWords(slice, words, before !== undefined))
    // In the order of the primary key, from its end: reads until the page is full.
    rows.push(
      ...(await (words === undefined ? clients.read : clients.search)<Record<string, unknown>>(
        `SELECT ${selectList(columns)} FROM traces WHERE ${sql.join(' AND ')}
         ORDER BY start_us DESC, trace_id DESC LIMIT {limit:UInt32}`,
        {
          ...parameters,
          ...words?.parameters,
          ...positionParameters(before),
          limit: limit + 1 - rows.length,
        },
      )),
    )
    if (rows.length > limit) break
  }
  const traces = rows.slice(0, limit).map((row) => readRow(columns, row))
  const last = traces.at(-1)
  return rows.length > limit && last !== undefined
    ? { traces, next: { startUs: last.startUs, traceId: last.traceId } }
    : { traces }
}

/** How many traces the first slice has at least; each further one has several times as many, so that all are few statements. */
const firstSlice = 4000
const sliceGrowth = 8

/** The filters for one range of time after the other, newest first. They add up to that of the filters. */
async function* timeSlices(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  position: Position | undefined,
): AsyncGenerator<TraceFilters> {
  let { toUs } = filters
  for (let traces = firstSlice; ; traces *= sliceGrowth) {
    const { sql, parameters } = storedConditions(workspaceId, { fromUs: filters.fromUs, toUs })
    if (position !== undefined) sql.push(beforePosition('start_us'))
    // By the primary key.
    const [row] = await clients.search<{ start: string }>(
      `SELECT toString(start_us) AS start FROM traces WHERE ${sql.join(' AND ')}
       ORDER BY start_us DESC LIMIT 1 OFFSET {traces:UInt64}`,
      { ...parameters, ...positionParameters(position), traces },
    )
    if (row === undefined) return yield { ...filters, toUs }
    const fromUs = BigInt(row.start)
    yield { ...filters, fromUs, toUs }
    toUs = fromUs
  }
}

/** Whether the filters search for words. */
export const hasWords = (filters: TraceFilters): filters is TraceFilters & { readonly q: string } =>
  filters.q !== undefined && filters.q.trim() !== ''

/** The filters of a list including the search words, for queries over the whole list. */
export function conditionsWithWords(
  workspaceId: string,
  filters: TraceFilters,
  conditionsOf = traceConditions,
): Conditions {
  const { sql, parameters } = conditionsOf(workspaceId, filters)
  if (!hasWords(filters)) return { sql, parameters }
  const words = wordConditions(filters.q)
  return {
    sql: [...sql, filterByWords(filters, words, false)],
    parameters: { ...parameters, ...words.parameters },
  }
}

const positionParameters = (position: Position | undefined): Parameters =>
  position === undefined ? {} : { beforeStart: position.startUs, beforeTrace: position.traceId }

/** The first half of the condition lets the engine use the primary key. */
function beforePosition(start: 'start_us' | 'trace_start_us'): string {
  return `${start} <= {beforeStart:Int64} AND (${start}, trace_id) < ({beforeStart:Int64}, {beforeTrace:UUID})`
}

/**
 * Matches the words in the trace itself or in one of its logs, whose tables have an index each, or in the names of its
 * user and organization, which are short and need none.
 */
function filterByWords(filters: TraceFilters, words: WordConditions, continues: boolean): string {
  const filterByStart = (start: 'start_us' | 'trace_start_us', conditions: readonly string[]): string =>
    [
      'workspace_id = {workspace:String}',
      ...(filters.fromUs === undefined ? [] : [`${start} >= {from:Int64}`]),
      ...(filters.toUs === undefined ? [] : [`${start} < {to:Int64}`]),
      ...(continues ? [beforePosition(start)] : []),
      ...conditions,
    ].join(' AND ')
  return `(start_us, trace_id) IN (
    SELECT start_us, trace_id FROM traces WHERE ${filterByStart('start_us', words.sql)}
    UNION ALL
    SELECT trace_start_us, trace_id FROM logs WHERE ${filterByStart('trace_start_us', words.sql)}
    UNION ALL
    SELECT start_us, trace_id FROM traces WHERE ${filterByStart('start_us', words.ofNames)})`
}
