/** The fields that conventions read from a span. All are optional: the first convention that has a field decides it. */
import type { LogType, RecordedLogFields, RecordedTraceFields } from '@plumbline/contract'
import type { AttributeReader } from './attribute-reader.ts'
import type { Part } from './messages/message.ts'
import type { References } from './references.ts'

export interface Identity {
  readonly id: string
  readonly name?: string
}

/** Tokens as reported; `usage.ts` decides how the parts relate to the totals. */
export interface Tokens {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  readonly reasoning?: number | undefined
  readonly total?: number | undefined
  /** Audio, images and long-lived cache writes, under our own names. */
  readonly parts?: Readonly<Record<string, number>> | undefined
  /** The usage object of the model provider, if the span has it. */
  readonly details?: unknown
}

export interface SpanScore {
  readonly name: string
  readonly value: boolean | number | string
  readonly comment: string | null
  readonly atMs: number | null
  /** The scored subject, if it is not the span itself: its trace, its session, or another span of its trace. */
  readonly subject?: 'trace' | 'session' | { readonly spanId: string } | undefined
}

/** The fields that traces and generations record unchanged. */
type RecordedFields = RecordedTraceFields & RecordedLogFields
type RecordedFacts = {
  readonly [Name in keyof RecordedFields]?: Exclude<RecordedFields[Name], null> | undefined
}

export interface SpanFacts extends RecordedFacts {
  readonly name?: string | undefined
  readonly kind?: LogType | undefined
  readonly isEmbedding?: boolean | undefined
  /** Whether it is an agent or a workflow, which call models and tools. */
  readonly isAgent?: boolean | undefined
  /** Whether its text is heard or spoken: providers do not bill such calls by the tokens of the text. */
  readonly isSpeech?: boolean | undefined
  readonly model?: string | undefined
  readonly provider?: string | undefined
  /** The model that the prompt names; the call may have used another. */
  readonly promptModel?: string | undefined
  readonly promptProvider?: string | undefined
  readonly input?: unknown
  readonly output?: unknown
  /** The instructions that the model got before the messages. */
  readonly instructions?: readonly Part[] | undefined
  readonly idealOutput?: unknown
  readonly tokens?: Tokens | undefined
  readonly cost?: number | undefined
  /** How the provider processed the call: batch, flex, priority. */
  readonly serviceTier?: string | undefined
  readonly user?: Identity | undefined
  readonly organization?: Identity | undefined
  readonly prompt?: References['prompt'] | undefined
  readonly variables?: readonly { readonly label: string; readonly value: unknown }[] | undefined
  readonly evaluators?: readonly string[] | undefined
  readonly shouldEvaluate?: boolean | undefined
  readonly sampleRate?: number | undefined
  readonly evaluationConfig?: unknown
  readonly featureSlug?: string | undefined
  readonly experimentId?: string | undefined
  /** The application's own keys, stored at the top level of the log's metadata. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Parameters of the model or the framework, besides the input. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** Values of the whole trace, which the application may set on any span. */
  readonly traceName?: string | undefined
  readonly traceMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly traceInput?: unknown
  readonly traceOutput?: unknown
  readonly scores?: readonly SpanScore[] | undefined
  /** The model provider's id of the response. */
  readonly responseId?: string | undefined
  readonly error?: { readonly type?: string; readonly message?: string } | undefined
}

/** One vocabulary of span attributes. */
export interface Convention {
  readonly name: string
  /** First segments of its attribute names; spans with none of them are skipped. Absent if there are too many. */
  readonly namespaces?: readonly string[]
  /** Names that it understands but does not read, since there are no fields for them. */
  readonly understands?: RegExp
  /**
   * Reads every attribute that it understands, even if another convention is the span's main one; undefined if the span does
   * not follow this convention.
   */
  readonly read: (span: AttributeReader) => SpanFacts | undefined
}
