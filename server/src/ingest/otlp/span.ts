/** An OpenTelemetry span as the rest of this folder sees it, independent of its encoding. */
import type { ServedPrompt } from '../monitor/record.ts'

/** The possible values of an attribute; 64-bit integers beyond 2^53 are bigint, bytes are base64 text. */
export type AttributeValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue }

export type Attributes = Readonly<Record<string, AttributeValue>>

export interface SpanEvent {
  readonly name: string
  /** Nanoseconds since 1970. */
  readonly timeNs: bigint
  readonly attributes: Attributes
}

export interface SpanLink {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Attributes
}

export interface Span {
  /** 32 hexadecimal digits, lower case. */
  readonly traceId: string
  /** 16 hexadecimal digits, lower case. */
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  /** 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number
  /** Nanoseconds since 1970. */
  readonly startNs: bigint
  /** Null for a span that is still running. */
  readonly endNs: bigint | null
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
  /** `code` 0 unset, 1 ok, 2 error. */
  readonly status: { readonly code: number; readonly message: string }
  readonly resource: Attributes
  readonly scope: { readonly name: string; readonly version: string; readonly attributes: Attributes }
}

/** The references of a span, resolved when it was accepted, so that later steps read no store. */
export interface ResolvedReferences {
  /** The feature that it names; null if none. */
  readonly featureSlug: string | null
  /** The experiment that it names, if it exists. */
  readonly experimentId: string | null
  /** The prompt version that its reference resolves to. */
  readonly prompt: ServedPrompt | null
  /** Default sampling rates of its evaluators, by slug; without unknown ones. */
  readonly evaluatorRates: Readonly<Record<string, number>>
  /** One sentence for each reference that could not be resolved. */
  readonly warnings: readonly string[]
}

/** A span with the facts of its acceptance. */
export interface ReceivedSpan extends Span {
  readonly apiKeyId: string
  readonly receivedAtMs: number
  readonly references: ResolvedReferences
}
