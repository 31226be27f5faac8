/** Langfuse's older clients choose any text as an id, where OpenTelemetry has hexadecimal digits: a digest stands for it. */
import { hash } from 'node:crypto'

/** The OpenTelemetry id of a trace; that of a UUID is its digits. */
export function otelTraceIdOf(id: string): string {
  const digits = id.toLowerCase().replaceAll('-', '')
  return /^[0-9a-f]{32}$/.test(digits) && !/^0+$/.test(digits) ? digits : hash('sha256', id).slice(0, 32)
}

/** The span id of an observation. */
export const spanIdOf = (id: string): string =>
  /^[0-9a-f]{16}$/.test(id) && !/^0+$/.test(id) ? id : hash('sha256', id).slice(0, 16)

/** The span that stands for a trace itself. */
export const rootSpanIdOf = (traceId: string): string => spanIdOf(`trace ${otelTraceIdOf(traceId)}`)
