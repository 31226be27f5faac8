/** What readers of other systems' exports make of them. They do no input and no output: whoever reads files calls them. */
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

/** A trace as the service takes it; its metadata has the id that it had. */
export interface FoundTrace {
  readonly sourceId: string
  readonly trace: Trace
  readonly scores: readonly FoundScore[]
  /** What was done otherwise than the source has it, a sentence each. */
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
  /** In place of the texts, for a prompt that is a conversation. */
  readonly messages?: readonly PromptMessage[]
  /** Settings of the application, as they were. */
  readonly config?: Record<string, unknown>
  readonly model?: NewVersion['model']
  readonly tags: readonly string[]
  readonly message?: string
  readonly warnings: readonly string[]
}

/** One row of a dataset, by the names of its columns. */
export interface FoundRow {
  readonly slug: string
  readonly datasetName: string
  readonly values: JsonRecord
  readonly name?: string
  readonly idealOutput?: string
  readonly metadata?: JsonRecord
}

/** What a record is. */
export type SortedRecord =
  /** One of the records that make a trace; all with its id go to `assemble` together. */
  | {
      readonly type: 'part'
      readonly traceId: string
      readonly kind: string
      readonly record: JsonRecord
      /** The id by which a `loosePart` belongs to it. */
      readonly spanId?: string
    }
  /** One that names a span and not its trace: it joins the trace of this span, if there is one. */
  | {
      readonly type: 'loosePart'
      readonly spanId: string
      readonly kind: string
      readonly record: JsonRecord
    }
  | { readonly type: 'version'; readonly version: FoundVersion }
  | { readonly type: 'row'; readonly row: FoundRow }
  /** An export request of OpenTelemetry, which the service maps itself. */
  | { readonly type: 'otlp'; readonly request: JsonRecord }
  /** What the service has no place for. */
  | { readonly type: 'ignored'; readonly what: string; readonly why: string }

export interface Part {
  readonly kind: string
  readonly record: JsonRecord
}

/** A system whose exports can be read. */
export interface Source {
  readonly name: string
  readonly title: string
  /** Whether a record looks like one of its own. */
  recognises(record: JsonRecord): boolean
  sort(record: JsonRecord): SortedRecord[]
  assemble(traceId: string, parts: readonly Part[]): FoundTrace
}
