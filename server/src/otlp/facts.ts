/** What the conventions read out of a span: every field optional, so that the first convention that has one gives it. */
import type { LogType } from '@plumbline/contract'
import type { References } from './references.ts'
import type { SpanReader } from './span-reader.ts'

export interface Identity {
  readonly id: string
  readonly name?: string
}

/** Tokens as reported; how the parts relate to the wholes is settled in `usage.ts`. */
export interface Tokens {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  readonly reasoning?: number | undefined
  /** The usage object of the maker of the model, where the span carries it. */
  readonly details?: unknown
}

export interface SpanScore {
  readonly name: string
  readonly value: boolean | number | string
  readonly comment: string | null
  readonly atMs: number | null
}

export interface SpanFacts {
  readonly name?: string | undefined
  readonly kind?: LogType | undefined
  readonly isEmbedding?: boolean | undefined
  readonly model?: string | undefined
  readonly provider?: string | undefined
  readonly input?: unknown
  readonly output?: unknown
  readonly idealOutput?: unknown
  readonly tokens?: Tokens | undefined
  readonly cost?: number | undefined
  readonly sessionId?: string | undefined
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
  /** Keys of the application's own, at the top of the log's metadata. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** What was asked of the model or the framework beside the input. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** What the application says of the whole trace, on whichever of its spans. */
  readonly traceName?: string | undefined
  readonly traceMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly traceInput?: unknown
  readonly traceOutput?: unknown
  readonly scores?: readonly SpanScore[] | undefined
  readonly error?: { readonly type?: string; readonly message?: string } | undefined
}

/** One way to write about an application in attributes. */
export interface Convention {
  readonly name: string
  /** First words of its attributes; a span that has none of them is not read by it. Absent where they are too many. */
  readonly namespaces?: readonly string[]
  /** Reads whatever it understands of the span, also when it is not the span's main convention. */
  readonly read: (span: SpanReader) => SpanFacts
}
