/** The keys of OpenTelemetry traces, and of the stored traces assembled from them. */

/** The OpenTelemetry trace of an assembly. */
export type AssemblyKey = { readonly workspaceId: string; readonly otelTraceId: string }

/** The key of a stored trace in the trace store. */
export type AssembledTrace = { readonly traceId: string; readonly startUs: bigint }

/** How many rows fit into one statement. */
export const rowsPerStatement = 500

export type StoredTraces = readonly (readonly [traceId: string, startUs: string])[]

export const storedTracesOf = (traces: readonly AssembledTrace[]): StoredTraces =>
  traces.map(({ traceId, startUs }) => [traceId, String(startUs)])
export const tracesText = (traces: readonly AssembledTrace[]): string =>
  JSON.stringify(storedTracesOf(traces))
export const readTraces = (storedTraces: StoredTraces): AssembledTrace[] =>
  storedTraces.map(([traceId, startUs]) => ({ traceId, startUs: BigInt(startUs) }))

/** An order of rows that all nodes share, so that two of them cannot deadlock. */
export function byKey(a: AssemblyKey, b: AssemblyKey): number {
  if (a.workspaceId !== b.workspaceId) return a.workspaceId < b.workspaceId ? -1 : 1
  return a.otelTraceId < b.otelTraceId ? -1 : 1
}
