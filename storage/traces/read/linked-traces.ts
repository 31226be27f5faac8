import type { Clients } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import type { LinkedTrace } from '../types.ts'

/** The traces that one OpenTelemetry trace was split into, earliest start first; by the index of its id. */
export async function linkedTraces(
  clients: Clients,
  workspaceId: string,
  otelTraceId: string,
): Promise<LinkedTrace[]> {
  return clients.read<LinkedTrace>(
    `SELECT toString(trace_id) AS traceId, name FROM traces
     WHERE workspace_id = {workspace:String} AND otel_trace_id = {otel:String} AND ${currentRows('traces')}
     ORDER BY start_us, trace_id LIMIT 100`,
    { workspace: workspaceId, otel: otelTraceId },
  )
}
