import type { Clients } from './clients.ts'

/** Which spans to read: those of one OpenTelemetry trace. */
export type SpansOf = {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
}

/** Spans of a node whose clock is behind came before the first. */
const clockMarginMs = 3_600_000
const hex32 = /^[0-9a-f]{32}$/

/**
 * What the store has of some OpenTelemetry traces, as lines of fields with tabs between them: workspace, trace, span,
 * addition, arrival in milliseconds, API key, resolved, span. A span that came twice may be there twice. JSON has
 * neither tabs nor line feeds of its own, so nothing is escaped. By primary key, in the days since the first arrival.
 */
export async function readSpanLines(clients: Clients, asked: readonly SpansOf[]): Promise<string> {
  const ids = asked.map(({ otelTraceId }) => otelTraceId).filter((id) => hex32.test(id))
  if (ids.length === 0) return ''
  const from =
    asked.reduce((first, { firstAtMs }) => Math.min(first, firstAtMs), Number.POSITIVE_INFINITY) -
    clockMarginMs
  // Ids are written into the statement: thousands of parameters would not fit into an address.
  return clients.readLines(
    `SELECT workspace_id, otel_trace_id, span_id, addition, toUnixTimestamp64Milli(received_at), api_key_id, resolved, span
     FROM spans
     WHERE workspace_id IN {workspaces:Array(String)} AND otel_trace_id IN (${ids.map((id) => `'${id}'`).join(',')})
       AND received_at >= fromUnixTimestamp64Milli({from:Int64})
     ORDER BY workspace_id, otel_trace_id, span_id, addition, received_at`,
    { workspaces: [...new Set(asked.map(({ workspaceId }) => workspaceId))], from: Math.floor(from) },
  )
}
