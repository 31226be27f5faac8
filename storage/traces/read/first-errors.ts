import type { Clients } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'

/**
 * The beginning of the error of the first failed log of each trace, as JSON, by the trace's id. Read by the primary key
 * of `logs`: the starts are those of the traces.
 */
export async function firstErrors(
  clients: Clients,
  workspaceId: string,
  traces: readonly { traceId: string; startUs: bigint }[],
): Promise<Map<string, string>> {
  if (traces.length === 0) return new Map()
  const rows = await clients.read<{ t: string; error: string }>(
    `SELECT toString(trace_id) AS t, argMin(substringUTF8(JSONExtractRaw(metadata, 'error'), 1, 600), position) AS error
     FROM logs
     WHERE workspace_id = {workspace:String} AND trace_start_us IN (SELECT arrayJoin(arrayMap(start -> toInt64(start), {starts:Array(String)})))
       AND trace_id IN {traces:Array(UUID)} AND has_error AND ${currentRows('logs')}
     GROUP BY trace_id`,
    {
      workspace: workspaceId,
      starts: traces.map(({ startUs }) => String(startUs)),
      traces: traces.map(({ traceId }) => traceId),
    },
  )
  return new Map(rows.map(({ t, error }) => [t, error]))
}
