/** The results of the readers of other systems' exports. The readers do no I/O; callers pass them the records. */
import type { InputOf, operations } from '@plumbline/contract'

/** A line of JSON, an element of a list, or a row of a table. */
export type JsonRecord = Readonly<Record<string, unknown>>

export type Trace = InputOf<typeof operations.monitor.trace>
export type Log = NonNullable<Trace['logs']>[number]

/** A judgement of a trace, or of the log with this id. */
export interface FoundScore {
  readonly logId?: string
  readonly name: string
  readonly value: boolean | number | string
  readonly comment?: string
  readonly createdAt?: string | number
}

/** A trace as the service accepts it, with its original id in the metadata. */
export interface FoundTrace {
  readonly sourceId: string
  readonly trace: Trace
  readonly scores: readonly FoundScore[]
  /** Differences from the source, one sentence each. */
  readonly warnings: readonly string[]
}

type NewVersion = InputOf<typeof operations.versions.create>
type PromptMessage = NonNullable<NewVersion['messages']>[number]

/** One version of a prompt. */
export interface FoundVersion {
  readonly slug: string
  readonly name: string
  readonly version: string
  readonly text: string
  readonly systemText?: string
  /** Messages instead of texts, for a prompt that is a conversation. */
  readonly messages?: readonly PromptMessage[]
  /** Settings of the application, unchanged. */
  readonly config?: Record<string, unknown>
  readonly model?: NewVersion['model']
  readonly tags: readonly string[]
  readonly message?: string
  readonly warnings: readonly string[]
}

/** One row of a dataset, by column names. */
export interface FoundRow {
  readonly slug: string
  readonly datasetName: string
  readonly values: JsonRecord
  readonly name?: string
  readonly idealOutput?: string
  readonly metadata?: JsonRecord
}

/** The kinds of records. */
export type SortedRecord =
  /** One of the records of a trace; all with the same trace id are passed to `assemble` together. */
  | {
      readonly type: 'part'
      readonly traceId: string
      readonly kind: string
      readonly record: JsonRecord
      /** The id by which a `loosePart` refers to this part. */
      readonly spanId?: string
    }
  /** A part that names a span but not its trace: it joins the trace of this span, if there is one. */
  | {
      readonly type: 'loosePart'
      readonly spanId: string
      readonly kind: string
      readonly record: JsonRecord
    }
  | { readonly type: 'version'; readonly version: FoundVersion }
  | { readonly type: 'row'; readonly row: FoundRow }
  /** An OpenTelemetry export request, which the service maps itself. */
  | { readonly type: 'otlp'; readonly request: JsonRecord }
  /** A record without a counterpart in the service. */
  | { readonly type: 'ignored'; readonly what: string; readonly why: string }

export interface Part {
  readonly kind: string
  readonly record: JsonRecord
}

/** A system whose exports can be read. */
export interface Source {
  readonly name: string
  readonly title: string
  /** Whether a record looks like one from this system. */
  recognises(record: JsonRecord): boolean
  sort(record: JsonRecord): SortedRecord[]
  assemble(traceId: string, parts: readonly Part[]): FoundTrace
}
