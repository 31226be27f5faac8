/** Ids of Langfuse's older clients, which can be any text, as OpenTelemetry ids, which are hexadecimal: by a digest. */
import { hash } from 'node:crypto'

/** The OpenTelemetry id of a trace; for a UUID, its digits. */
export function otelTraceIdOf(id: string): string {
  const digits = id.toLowerCase().replaceAll('-', '')
  return /^[0-9a-f]{32}$/.test(digits) && !/^0+$/.test(digits) ? digits : hash('sha256', id).slice(0, 32)
}

/** The span id of an observation. */
export const spanIdOf = (id: string): string =>
  /^[0-9a-f]{16}$/.test(id) && !/^0+$/.test(id) ? id : hash('sha256', id).slice(0, 16)

/** The id of the span that stands for the trace itself. */
export const rootSpanIdOf = (traceId: string): string => spanIdOf(`trace ${otelTraceIdOf(traceId)}`)
