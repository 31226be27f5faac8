/** The ids of a span, and how they are passed to other processes (W3C trace context). */

export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
}

/** Identifies a trace of another process to continue: the value of its `traceparent` header, or the headers that contain it. */
export type TraceParent =
  | string
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const newId = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

export const newTraceId = (): string => newId(16)
export const newSpanId = (): string => newId(8)

/** The headers that pass on a context. */
export const toTraceHeaders = ({ traceId, spanId }: SpanContext): { readonly traceparent: string } => ({
  traceparent: `00-${traceId}-${spanId}-01`,
})

const traceparentForm = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:$|-)/

/** The context that another process passed on; undefined if it is missing or invalid. */
export function readTraceParent(parent: TraceParent): SpanContext | undefined {
  const [, traceId, spanId] = traceparentForm.exec(headerOf(parent)?.trim().toLowerCase() ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId }
}

function headerOf(parent: TraceParent): string | undefined {
  if (typeof parent === 'string') return parent
  if (typeof parent !== 'object' || parent === null) return undefined
  if (typeof parent.get === 'function') return parent.get('traceparent') ?? undefined
  const value = (parent as Readonly<Record<string, unknown>>).traceparent
  const text: unknown = Array.isArray(value) ? value[0] : value
  return typeof text === 'string' ? text : undefined
}
