import type { Clients, Parameters } from '../engine/clients.ts'
import { storedConditions, traceConditions } from '../filters/filters.ts'
import type { Conditions } from '../filters/where.ts'
import { type WordConditions, wordConditions } from '../filters/words.ts'
import { type Columns, readRow, selectList, summaryColumns } from '../rows/read-rows.ts'
import type { PageQuery, Position, TraceFilters, TracePage } from '../types.ts'

/** The page of traces after `before`, newest start first. */
export const listTraces = (
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  page: PageQuery,
): Promise<TracePage> => pageOfTraces(clients, workspaceId, filters, page, summaryColumns)

/**
 * The same page with the given columns. A search goes through slices of time until the page is full: frequent words are
 * found among the newest traces. A search that reads texts stops after `tracesToSearch` traces, and the result says how
 * far it got. For a search that the index can answer, the second slice covers all the rest.
 */
export async function pageOfTraces<Row extends { startUs: bigint; traceId: string }>(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  {
    limit,
    before,
    bytesMax,
    tracesToSearch = Number.POSITIVE_INFINITY,
    firstSlice = usualFirstSlice,
  }: PageQuery,
  columns: Columns<Row>,
): Promise<{ traces: Row[]; next?: Position; searchedFromUs?: bigint }> {
  const words = hasWords(filters) ? wordConditions(filters.q) : undefined
  const slices: AsyncIterable<TimeSlice> | TimeSlice[] =
    words === undefined
      ? [{ filters, isLast: true }]
      : timeSlices(clients, workspaceId, filters, {
          position: before,
          firstSlice,
          ...(words.readsTexts
            ? { growth: sliceGrowth, tracesMax: tracesToSearch }
            : { growth: Number.POSITIVE_INFINITY, tracesMax: Number.POSITIVE_INFINITY }),
        })
  const rows: Record<string, unknown>[] = []
  let searchedFromUs: bigint | undefined
  for await (const { filters: slice, isLast } of slices) {
    searchedFromUs = isLast ? undefined : slice.fromUs
    const { sql, parameters } = traceConditions(workspaceId, slice)
    if (before !== undefined) sql.push(beforePosition('start_us'))
    if (words !== undefined) sql.push(filterByWords(slice, words, before && beforePosition))
    // In the order of the primary key, from its end: reads until the page is full.
    rows.push(
      ...(await (words === undefined ? clients.read : clients.search)<Record<string, unknown>>(
        `SELECT ${selectList(columns)} FROM traces WHERE ${sql.join(' AND ')}
         ORDER BY start_us DESC, trace_id DESC LIMIT {limit:UInt32} ${limitResult(bytesMax)}`,
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
  if (rows.length > limit && last !== undefined)
    return { traces, next: { startUs: last.startUs, traceId: last.traceId } }
  // The next page starts earlier: no id sorts before the first id.
  return searchedFromUs === undefined
    ? { traces }
    : { traces, next: { startUs: searchedFromUs, traceId: firstId }, searchedFromUs }
}

/** The end of a statement that fails as too large if it returns more bytes. */
export const limitResult = (bytesMax: number | undefined): string =>
  bytesMax === undefined ? '' : `SETTINGS max_result_bytes = ${bytesMax}`

const firstId = '00000000-0000-0000-0000-000000000000'

const usualFirstSlice = 4000
/** Each slice has several times as many traces as the one before, so that few statements cover them all. */
const sliceGrowth = 8

interface TimeSlice {
  readonly filters: TraceFilters
  /** Whether no earlier traces are left. */
  readonly isLast: boolean
}

interface SliceSizes {
  readonly position: Position | undefined
  readonly firstSlice: number
  /** The growth factor from one slice to the next. */
  readonly growth: number
  readonly tracesMax: number
}

/** The filters for successive time ranges, newest first, with about `tracesMax` traces in all. */
async function* timeSlices(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { position, firstSlice, growth, tracesMax }: SliceSizes,
): AsyncGenerator<TimeSlice> {
  let { toUs } = filters
  let tracesBefore = 0
  for (let size = firstSlice; tracesBefore < tracesMax; size *= growth) {
    const traces = Math.min(size, tracesMax - tracesBefore)
    if (traces === Number.POSITIVE_INFINITY) return yield { filters: { ...filters, toUs }, isLast: true }
    const { sql, parameters } = storedConditions(workspaceId, { fromUs: filters.fromUs, toUs })
    if (position !== undefined) sql.push(beforePosition('start_us'))
    // Served by the primary key.
    const [row] = await clients.search<{ start: string }>(
      `SELECT toString(start_us) AS start FROM traces WHERE ${sql.join(' AND ')}
       ORDER BY start_us DESC LIMIT 1 OFFSET {traces:UInt64}`,
      { ...parameters, ...positionParameters(position), traces },
    )
    if (row === undefined) return yield { filters: { ...filters, toUs }, isLast: true }
    const fromUs = BigInt(row.start)
    yield { filters: { ...filters, fromUs, toUs }, isLast: false }
    toUs = fromUs
    tracesBefore += traces
  }
}

/** Whether the filters search for words. */
export const hasWords = (filters: TraceFilters): filters is TraceFilters & { readonly q: string } =>
  filters.q !== undefined && filters.q.trim() !== ''

interface ListOptions {
  readonly conditionsOf?: typeof traceConditions
  /** Limits the list to some of its traces, by the column with the trace start. */
  readonly limitStart?: ((start: StartColumn) => string) | undefined
}

/** The conditions of a list including the search words, for queries over the whole list. */
export function conditionsWithWords(
  workspaceId: string,
  filters: TraceFilters,
  { conditionsOf = traceConditions, limitStart }: ListOptions = {},
): Conditions {
  const conditions = conditionsOf(workspaceId, filters)
  const sql = [...conditions.sql, ...(limitStart === undefined ? [] : [limitStart('start_us')])]
  if (!hasWords(filters)) return { sql, parameters: conditions.parameters }
  const words = wordConditions(filters.q)
  return {
    sql: [...sql, filterByWords(filters, words, limitStart)],
    parameters: { ...conditions.parameters, ...words.parameters },
  }
}

/** The column with the trace start: in the traces table, and in the logs table. */
export type StartColumn = 'start_us' | 'trace_start_us'

const positionParameters = (position: Position | undefined): Parameters =>
  position === undefined ? {} : { beforeStart: position.startUs, beforeTrace: position.traceId }

/** The first half of the condition lets the engine use the primary key. */
function beforePosition(start: StartColumn): string {
  return `${start} <= {beforeStart:Int64} AND (${start}, trace_id) < ({beforeStart:Int64}, {beforeTrace:UUID})`
}

/**
 * Matches the words in the trace itself or in one of its logs, whose tables each have an index, or in the names of its
 * user and organization, which are short and need no index.
 */
function filterByWords(
  filters: TraceFilters,
  words: WordConditions,
  limitStart: ListOptions['limitStart'],
): string {
  const filterByStart = (start: StartColumn, conditions: readonly string[]): string =>
    [
      'workspace_id = {workspace:String}',
      ...(filters.fromUs === undefined ? [] : [`${start} >= {from:Int64}`]),
      ...(filters.toUs === undefined ? [] : [`${start} < {to:Int64}`]),
      ...(limitStart === undefined ? [] : [limitStart(start)]),
      ...conditions,
    ].join(' AND ')
  return `(start_us, trace_id) IN (
    SELECT start_us, trace_id FROM traces WHERE ${filterByStart('start_us', words.sql)}
    UNION ALL
    SELECT trace_start_us, trace_id FROM logs WHERE ${filterByStart('trace_start_us', words.sql)}
    UNION ALL
    SELECT start_us, trace_id FROM traces WHERE ${filterByStart('start_us', words.ofNames)})`
}
