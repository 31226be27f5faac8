/** The sessions that a live rule applies to: which they are, how often they were quiet, and their latest state. */
import type { Clients } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import type { LiveSums, SessionEnd, TraceFilters } from '../types.ts'
import { byTraceKeys, traceKey } from './find.ts'
import { conditionsWithWords } from './list.ts'
import { isSampledSql, thresholdOf } from './live-matches.ts'

/** The sessions of the given traces that match; by the index of arrivals. */
export async function liveSessions(
  clients: Clients,
  workspaceId: string,
  traceIds: readonly string[],
  filters: TraceFilters,
): Promise<string[]> {
  const keys = traceIds.flatMap((id) => traceKey(workspaceId, id) ?? [])
  if (keys.length === 0) return []
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const rows = await clients.search<{ id: string }>(
    `SELECT DISTINCT assumeNotNull(session_id) AS id FROM traces
     WHERE ${[...sql, byTraceKeys].join(' AND ')} AND session_id IS NOT NULL`,
    {
      ...parameters,
      arrivals: keys.map(({ arrival }) => arrival),
      traces: keys.map(({ trace }) => trace),
    },
  )
  return rows.map(({ id }) => id)
}

/**
 * How many traces match, and how often their sessions were quiet for `quietMs`: once after the last trace, and once in
 * each longer pause. The rate samples sessions by their id.
 */
export async function liveSessionSums(
  clients: Clients,
  workspaceId: string,
  filters: TraceFilters,
  { rate, quietMs }: { readonly rate: number; readonly quietMs: number },
): Promise<LiveSums> {
  const { sql, parameters } = conditionsWithWords(workspaceId, filters)
  const [sums] = await clients.search<{ matching: string; judged: string }>(
    `SELECT toString(sum(turns)) AS matching, toString(sumIf(periods, isNotNull(session) AND ${isSampledSql('session')})) AS judged
     FROM (
       SELECT session_id AS session, count() AS turns,
         1 + length(arrayFilter(pause -> pause > {quietUs:Int64}, arrayDifference(arraySort(groupArray(start_us))))) AS periods
       FROM traces WHERE ${sql.join(' AND ')} GROUP BY session_id
     )`,
    { ...parameters, threshold: thresholdOf(rate), quietUs: String(quietMs * 1000) },
  )
  return { matching: Number(sums?.matching), judged: Number(sums?.judged) }
}

/** The last trace of a session, its latest arrival, and a digest that changes with its traces and their texts. */
export async function sessionEnd(
  clients: Clients,
  workspaceId: string,
  sessionId: string,
): Promise<SessionEnd | undefined> {
  const [end] = await clients.search<{ turns: string; last: string; received: string; digest: string }>(
    `SELECT toString(count()) AS turns, toString(argMax(trace_id, (start_us, trace_id))) AS last,
       toString(toUnixTimestamp64Milli(max(received_at))) AS received,
       lower(hex(groupBitXor(sipHash64(trace_id, input, output)))) AS digest
     FROM traces WHERE workspace_id = {workspace:String} AND session_id = {session:String} AND ${currentRows('traces')}`,
    { workspace: workspaceId, session: sessionId },
  )
  if (end === undefined || Number(end.turns) === 0) return undefined
  return { traceId: end.last, receivedAt: new Date(Number(end.received)), digest: end.digest }
}
