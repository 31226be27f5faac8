import type { Clients } from '../engine/clients.ts'
import { TraceStoreUnavailable } from '../engine/errors.ts'
import { logColumns, readRow, scoreColumns, selectList, traceColumns } from '../rows/read-rows.ts'
import type { LogRow, ScoreRow, TraceRow } from '../rows/row-types.ts'
import type { PageQuery, Position, StoredTrace, TraceFilters, WalkedTrace } from '../types.ts'
import { findRevision } from './find.ts'
import { limitResult, pageOfTraces } from './list.ts'

/** The target size of a page; a larger trace has a page to itself. */
const pageBytes = 16 * 1024 * 1024
/** A page with a larger result is read again with fewer traces. */
const resultBytesMax = 2 * pageBytes
/** Few at first, while trace sizes are unknown: the engine may need seconds for very large ones. */
const pageSize = { first: 2, most: 1000, growth: 4 }

/**
 * Complete traces, newest start first, with one page in memory at a time. Arrivals during the walk neither repeat nor
 * hide other traces. The page size adapts to the previous page: texts differ in size a thousandfold.
 */
export async function* walkTraces(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
): AsyncGenerator<WalkedTrace, void> {
  let limit = pageSize.first
  let before: Position | undefined
  // Halved after a page that was too large or slow, then raised a little with each page, since a busy engine recovers.
  let most = pageSize.most
  for (;;) {
    const page = await readPage(clients, workspaceId, filters, { limit, before }).catch((error: unknown) => {
      if (limit === 1 || !isTooMuch(error)) throw error
    })
    if (page === undefined) {
      limit = Math.floor(limit / 2)
      most = limit
      continue
    }
    for (const storedTrace of page.traces) {
      if (storedTrace.logs.length === storedTrace.trace.logCount) yield storedTrace
      else {
        // The trace was replaced between the queries and has the logs of both revisions or of neither: read it
        // separately.
        const current = await findRevision(clients, workspaceId, storedTrace.trace.traceId)
        if (current !== undefined) yield { ...current.storedTrace, revision: current.revision }
      }
    }
    if (page.next === undefined) return
    before = page.next
    const bytesPerTrace = page.traces.reduce((sum, trace) => sum + bytesOf(trace), 0) / page.traces.length
    const limitByBytes = Math.floor(pageBytes / Math.max(bytesPerTrace, 1))
    most = Math.min(most + 1, pageSize.most)
    limit = Math.max(1, Math.min(limitByBytes, limit * pageSize.growth, most))
  }
}

const isTooMuch = (error: unknown): boolean =>
  error instanceof TraceStoreUnavailable && (error.reason === 'too slow' || error.reason === 'too large')

type PageOfWalk = { readonly traces: WalkedTrace[]; readonly next?: Position }

async function readPage(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { limit, before }: Pick<PageQuery, 'limit' | 'before'>,
): Promise<PageOfWalk> {
  const bytesMax = limit === 1 ? undefined : resultBytesMax
  const { traces, next } = await pageOfTraces(
    clients,
    workspaceId,
    filters,
    { limit, before, bytesMax },
    traceColumns,
  )
  return {
    traces: await withLogsAndScores(clients, workspaceId, traces, bytesMax),
    ...(next === undefined ? {} : { next }),
  }
}

/** Two queries per page: by the range of its starts in the primary key of logs, and by the primary key of scores. */
async function withLogsAndScores(
  clients: Clients,
  workspaceId: string,
  traces: readonly TraceRow[],
  bytesMax: number | undefined,
): Promise<WalkedTrace[]> {
  if (traces.length === 0) return []
  const parameters = {
    workspace: workspaceId,
    traces: traces.map(({ traceId }) => traceId),
    first: traces.at(-1)!.startUs,
    last: traces[0]!.startUs,
  }
  const [logs, scores] = await Promise.all([
    clients.search<Record<string, unknown>>(
      `SELECT ${selectList(logColumns)}, toString(revision) AS revision FROM logs
       WHERE workspace_id = {workspace:String} AND trace_start_us >= {first:Int64}
         AND trace_start_us <= {last:Int64} AND trace_id IN {traces:Array(UUID)}
       ORDER BY position ${limitResult(bytesMax)}`,
      parameters,
    ),
    clients.search<Record<string, unknown>>(
      `SELECT ${selectList(scoreColumns)} FROM scores
       WHERE workspace_id = {workspace:String} AND trace_id IN {traces:Array(UUID)}
       ORDER BY created_at, score_id ${limitResult(bytesMax)}`,
      parameters,
    ),
  ])
  const logsOf = Map.groupBy(
    logs.map((log) => ({ row: readRow(logColumns, log), revision: String(log.revision) })),
    ({ row }) => row.traceId,
  )
  const scoresOf = Map.groupBy(
    scores.map((score): ScoreRow => readRow(scoreColumns, score)),
    ({ traceId }) => traceId,
  )
  return traces.map((trace) => ({
    trace,
    ...ofOneRevision(logsOf.get(trace.traceId) ?? [], trace.logCount),
    scores: scoresOf.get(trace.traceId) ?? [],
  }))
}

/** A trace that is being replaced has the logs of two revisions: its own are those that match its log count. */
function ofOneRevision(
  logRows: readonly { row: LogRow; revision: string }[],
  logCount: number,
): Pick<WalkedTrace, 'logs' | 'revision'> {
  const revisions = [...Map.groupBy(logRows, ({ revision }) => revision).values()]
  const ownLogs = revisions.find((logs) => logs.length === logCount) ?? logRows
  return { logs: ownLogs.map(({ row }) => row), revision: ownLogs[0]?.revision ?? '0' }
}

/** The approximate size of a trace: its texts dominate. */
const bytesOf = ({ trace, logs }: StoredTrace): number =>
  [trace, ...logs].reduce(
    (sum, { input, output, idealOutput, metadata }) =>
      sum +
      2000 +
      [input, output, idealOutput, metadata].reduce((length, text) => length + (text?.length ?? 0), 0),
    0,
  )
