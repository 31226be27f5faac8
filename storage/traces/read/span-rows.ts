import type { Clients } from '../engine/clients.ts'
import type { SpanQuery } from '../types.ts'

/** Margin for nodes whose clock is behind. */
const clockMarginMs = 3_600_000
const hex32 = /^[0-9a-f]{32}$/

/**
 * The spans of some OpenTelemetry traces as tab-separated lines: workspace, trace, span, addition, arrival in
 * milliseconds, API key, resolved, span. A span that arrived twice may appear twice. Encoded JSON contains neither tabs
 * nor line feeds, so nothing is escaped. By primary key, from the day of the first arrival.
 */
export async function readSpanLines(clients: Clients, traces: readonly SpanQuery[]): Promise<string> {
  const ids = traces.map(({ otelTraceId }) => otelTraceId).filter((id) => hex32.test(id))
  if (ids.length === 0) return ''
  const from =
    traces.reduce((first, { firstAtMs }) => Math.min(first, firstAtMs), Number.POSITIVE_INFINITY) -
    clockMarginMs
  // Ids are part of the statement: thousands of parameters would not fit into a URL.
  return clients.readLines(
    `SELECT workspace_id, otel_trace_id, span_id, addition, toUnixTimestamp64Milli(received_at), api_key_id, resolved, span
     FROM spans
     WHERE workspace_id IN {workspaces:Array(String)} AND otel_trace_id IN (${ids.map((id) => `'${id}'`).join(',')})
       AND received_at >= fromUnixTimestamp64Milli({from:Int64})
     ORDER BY workspace_id, otel_trace_id, span_id, addition, received_at`,
    { workspaces: [...new Set(traces.map(({ workspaceId }) => workspaceId))], from: Math.floor(from) },
  )
}
