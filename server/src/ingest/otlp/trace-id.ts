import { hash } from 'node:crypto'

/**
 * Our id for an OpenTelemetry trace, or for a root cut out of it: a UUIDv7 of its first arrival, by which the trace store
 * locates it. A digest replaces the random bits, so that each assembly gives the same id.
 */
export function traceIdOf(
  { workspaceId, otelTraceId, firstAtMs }: { workspaceId: string; otelTraceId: string; firstAtMs: number },
  rootSpanId: string | null,
): string {
  const time = firstAtMs.toString(16).padStart(12, '0')
  const digest = hash('sha256', `${workspaceId} ${otelTraceId} ${rootSpanId ?? ''}`)
  const variant = ((Number.parseInt(digest[3]!, 16) & 0b0011) | 0b1000).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}
