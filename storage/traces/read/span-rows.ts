import type { Clients } from '../engine/clients.ts'
import type { SpanQuery } from '../types.ts'

/** A margin for nodes whose clocks are behind. */
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
  const first = extent(traces.map(({ firstAtMs }) => firstAtMs))
  const from = first.least - clockMarginMs
  const begins = first.most - first.least > clockMarginMs ? `AND received_at >= ${beginsOf(traces)}` : ''
  // Ids are part of the statement: thousands of parameters would not fit into a URL.
  return clients.readLines(
    `SELECT workspace_id, otel_trace_id, span_id, addition, toUnixTimestamp64Milli(received_at), api_key_id, resolved, span
     FROM spans
     WHERE workspace_id IN {workspaces:Array(String)} AND otel_trace_id IN (${ids.map((id) => `'${id}'`).join(',')})
       AND received_at >= fromUnixTimestamp64Milli({from:Int64}) ${begins}
     ORDER BY workspace_id, otel_trace_id, span_id, addition, received_at`,
    { workspaces: [...new Set(traces.map(({ workspaceId }) => workspaceId))], from: Math.floor(from) },
  )
}

function extent(numbers: readonly number[]): { least: number; most: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const number of numbers) [least, most] = [Math.min(least, number), Math.max(most, number)]
  return { least, most }
}

/** The time from which the spans of each trace are read, in SQL. The ids are hexadecimal, so they are safe as literals. */
function beginsOf(traces: readonly SpanQuery[]): string {
  const begins = new Map<string, number>()
  for (const { otelTraceId, firstAtMs } of traces)
    if (hex32.test(otelTraceId))
      begins.set(otelTraceId, Math.min(begins.get(otelTraceId) ?? firstAtMs, firstAtMs))
  const ids = [...begins.keys()].map((id) => `'${id}'`).join(',')
  const times = [...begins.values()].map((firstAtMs) => Math.floor(firstAtMs - clockMarginMs)).join(',')
  return `fromUnixTimestamp64Milli(toInt64(transform(otel_trace_id, [${ids}], [${times}], 0)))`
}
