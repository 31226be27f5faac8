/** The objects with which an application records: a trace, and logs nested in it. None of them throws. */
import type { InputOf, Log, operations } from '@plumbline/contract'
import {
  newSpanId,
  newTraceId,
  readTraceParent,
  type SpanContext,
  type TraceParent,
  toTraceHeaders,
} from './span-context.ts'
import { SpanFields } from './span-fields.ts'

type WireTrace = InputOf<typeof operations.monitor.trace>
type WireGeneration = Extract<Log, { readonly type: 'generation' }>
type WireLog = Exclude<Log, WireGeneration>
export type LogType = Log['type']

/** Fields with wider types than in the interface. */
interface CommonFields {
  /** Any value. What JSON cannot represent is described in words: cycles, bytes, big integers, errors. */
  readonly input?: unknown
  readonly output?: unknown
  readonly idealOutput?: unknown
  /** Merged into the existing metadata, key by key. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** When it started; the time of the call by default. */
  readonly startTime?: Date
  /** When it ended; the time of `end` by default. */
  readonly endTime?: Date
  /** The error, which marks it as failed; stored as `metadata.error`. */
  readonly error?: unknown
}

/** The fields of a trace, as in `POST /monitor/trace`. */
export interface TraceFields
  extends CommonFields,
    Omit<WireTrace, keyof CommonFields | 'logs' | 'chainSlug'> {
  /** Continues a trace of another process: its `traceparent`, or the request headers that contain it. */
  readonly parent?: TraceParent | undefined
}

/** The fields of a step, as in a log of `POST /monitor/trace`. */
export interface LogFields
  extends CommonFields,
    Omit<WireLog, keyof CommonFields | 'id' | 'type' | 'parentId'> {}

/** The fields of a language-model call. When absent, the service counts the tokens and computes the cost. */
export interface GenerationFields
  extends CommonFields,
    Omit<WireGeneration, keyof CommonFields | 'id' | 'type' | 'parentId' | 'variables' | 'prompt'> {
  /** Its name at the provider, such as `gpt-4o`. */
  readonly model?: string
  /** The provider that serves the model, such as `open-ai`. */
  readonly provider?: string
  /** The usage as reported by the provider (cached tokens, reasoning tokens). */
  readonly usage?: object
  /** The prompt that was used: the result of `plumbline.prompt`, or a reference. */
  readonly prompt?: { readonly slug: string; readonly version?: string | null; readonly tag?: string | null }
  /** The values of the prompt's variables, by label. */
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The id of the stored trace. */
export type RecordResponse = { readonly trace: { readonly id: string } }

/** The parts of the client that recordings need. */
export interface Recorder {
  /** Whether anything is recorded. */
  readonly isEnabled: boolean
  /** The URL of a trace in the web app. */
  urlOf(traceId: string): string
  /** Called for the outermost span of this process in a trace. */
  rootStarted(root: Recording): void
  /** Adds an ended span; calls `settle` once, with whether it was stored. */
  addSpan(span: FinishedSpan, isRoot: boolean, settle: (isStored: boolean) => void): void
  readonly reportLoss: (loss: Loss) => void
  /** Masks a value before it is sent, by the name of its field. */
  readonly mask: (field: string, value: unknown) => unknown
  /** Reports an internal error: recording never throws into the application. */
  readonly reportError: (error: unknown) => void
  /** Runs `act` with `recording` as the current one in everything that it calls. */
  runWithin<Result>(recording: Recording, act: () => Result): Result
}

export interface FinishedSpan {
  readonly traceId: string
  readonly json: string
}

/** Why a value could not be recorded. */
export type Loss = 'too_large' | 'late'

/** The place of a recording in its trace. */
interface Place {
  readonly root: Recording | undefined
  readonly context: SpanContext
  readonly parentSpanId: string | undefined
  readonly clock: Clock
}

/** Epoch and monotonic clock at the start of the trace, so that clock changes do not affect durations. */
class Clock {
  readonly #epochMs = Date.now()
  readonly #startedAt = performance.now()

  /** Milliseconds since the Unix epoch, with fractions. */
  nowMs(): number {
    return this.#epochMs + performance.now() - this.#startedAt
  }
}

/** A trace or a log. Its methods start nested logs, which end with the function if one is passed. */
export class Recording<Own extends CommonFields = CommonFields> {
  readonly #recorder: Recorder
  readonly #place: Place
  readonly #fields: SpanFields
  #isEnded = false
  #settled: { readonly result: RecordResponse | undefined } | undefined
  #waiting: ((result: RecordResponse | undefined) => void)[] = []

  constructor(recorder: Recorder, place: Place, type: LogType | undefined, values: Own) {
    this.#recorder = recorder
    this.#place = place
    this.#fields = new SpanFields(recorder.mask, () => recorder.reportLoss('too_large'))
    this.#write({ type, startTime: place.clock.nowMs(), ...values })
    if (recorder.isEnabled && place.root === undefined) recorder.rootStarted(this as unknown as Recording)
  }

  /** The id of the trace, in the service and the web app. */
  get traceId(): string {
    return this.#place.context.traceId
  }

  /** The id of this log within its trace, for scores. */
  get id(): string {
    return this.#place.context.spanId
  }

  /** The URL of the trace in the web app. */
  get url(): string {
    return this.#recorder.urlOf(this.traceId)
  }

  /** Whether it has ended, so that nothing can be added. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Whether an output was set. */
  get hasOutput(): boolean {
    return this.#fields.hasOutput
  }

  /** The W3C trace context. Send it with a request, so that the other process can continue the trace. */
  traceHeaders(): { readonly traceparent: string } {
    return toTraceHeaders(this.#place.context)
  }

  /** After its end, resolves with the id once it is stored, or undefined if it is lost. Waits through outages. */
  recorded(): Promise<RecordResponse | undefined> {
    // Created on demand: workers warn about promises that another request resolves.
    return new Promise((resolve) => {
      if (this.#settled === undefined) this.#waiting.push(resolve)
      else resolve(this.#settled.result)
    })
  }

  #settle(result: RecordResponse | undefined): void {
    this.#settled = { result }
    for (const resolve of this.#waiting.splice(0)) resolve(result)
  }

  /** Adds or changes fields. */
  update(values: Partial<Own>): void {
    if (this.#isEnded) this.#recorder.reportLoss('late')
    else this.#write(values)
  }

  /** Adds or changes fields of the whole trace, on its outermost recording in this process. */
  updateTrace(values: Partial<TraceFields>): void {
    const root = this.#place.root ?? this
    root.update(values as Partial<Own>)
  }

  /** Ends it, once; later changes are counted as `late`. */
  end(values: Partial<Own> = {}): void {
    if (this.#isEnded) return
    this.#write({ endTime: this.#place.clock.nowMs(), ...values })
    this.#isEnded = true
    const recorded = { trace: { id: this.traceId } }
    if (!this.#recorder.isEnabled) this.#settle(undefined)
    else
      this.#recorder.addSpan(this.toSpan(), this.#place.root === undefined, (isStored) =>
        this.#settle(isStored ? recorded : undefined),
      )
  }

  /** The span as it is now, even if it has not ended. */
  toSpan(): FinishedSpan {
    const { context, parentSpanId } = this.#place
    return { traceId: context.traceId, json: this.#fields.toJson(context, parentSpanId) }
  }

  /** A call to a language model. */
  generation(values?: GenerationFields): GenerationRecording
  generation<Result>(values: GenerationFields, run: (generation: GenerationRecording) => Result): Result
  generation<Result>(values: GenerationFields = {}, run?: (generation: GenerationRecording) => Result) {
    return this.#begin<GenerationFields, Result>('generation', values, run)
  }

  /** Any step. */
  span(values?: LogFields): LogRecording
  span<Result>(values: LogFields, run: (span: LogRecording) => Result): Result
  span<Result>(values: LogFields = {}, run?: (span: LogRecording) => Result) {
    return this.#begin<LogFields, Result>('span', values, run)
  }

  /** A tool call that a model requested. */
  tool(values?: LogFields): LogRecording
  tool<Result>(values: LogFields, run: (tool: LogRecording) => Result): Result
  tool<Result>(values: LogFields = {}, run?: (tool: LogRecording) => Result) {
    return this.#begin<LogFields, Result>('tool', values, run)
  }

  /** A search for documents. */
  retrieval(values?: LogFields): LogRecording
  retrieval<Result>(values: LogFields, run: (retrieval: LogRecording) => Result): Result
  retrieval<Result>(values: LogFields = {}, run?: (retrieval: LogRecording) => Result) {
    return this.#begin<LogFields, Result>('retrieval', values, run)
  }

  /** A function of the application. */
  function(values?: LogFields): LogRecording
  function<Result>(values: LogFields, run: (log: LogRecording) => Result): Result
  function<Result>(values: LogFields = {}, run?: (log: LogRecording) => Result) {
    return this.#begin<LogFields, Result>('function', values, run)
  }

  /** An event at one point in time. */
  event(values: LogFields = {}): void {
    this.log('event', values).end()
  }

  /** A log of any type. */
  log<Values extends CommonFields>(type: LogType, values: Values): LogRecording<Values> {
    const { root, context, clock } = this.#place
    const place = {
      root: root ?? (this as unknown as Recording),
      context: { traceId: context.traceId, spanId: newSpanId() },
      parentSpanId: context.spanId,
      clock,
    }
    return new Recording<Values>(this.#recorder, place, type, values)
  }

  #begin<Values extends CommonFields, Result>(
    type: LogType,
    values: Values,
    run: ((log: LogRecording<Values>) => Result) | undefined,
  ): LogRecording<Values> | Result {
    const log = this.log(type, values)
    return run === undefined ? log : runWithin(this.#recorder, log, () => run(log))
  }

  #write(values: object): void {
    if (!this.#recorder.isEnabled) return
    try {
      for (const [name, value] of Object.entries(values)) {
        try {
          this.#fields.set(name, value)
        } catch (error) {
          this.#recorder.reportError(error)
        }
      }
    } catch (error) {
      this.#recorder.reportError(error)
    }
  }
}

/** One step of a trace. */
export type LogRecording<Own extends CommonFields = LogFields> = Recording<Own>
export type GenerationRecording = LogRecording<GenerationFields>
/** One run of an application. */
export type TraceRecording = Recording<TraceFields>

/** Starts a trace, or continues one of another process; with a type, its outermost span is a log of that type. */
export function startTrace<Values extends CommonFields>(
  recorder: Recorder,
  values: object & { readonly parent?: TraceParent | undefined },
  type?: LogType,
): Recording<Values> {
  const { parent, ...fields } = values
  const remote = parent === undefined ? undefined : readTraceParent(parent)
  const place = {
    root: undefined,
    context: { traceId: remote?.traceId ?? newTraceId(), spanId: newSpanId() },
    parentSpanId: remote?.spanId,
    clock: new Clock(),
  }
  // Safe: unknown fields are reported and not recorded.
  return new Recording<Values>(recorder, place, type, fields as Values)
}

/** Runs a function within a recording, which ends with its result or its error. */
export function runWithin<Result>(recorder: Recorder, recording: Recording, act: () => Result): Result {
  const endWith = (output: unknown): void => recording.end(recording.hasOutput ? {} : { output })
  const endWithError = (error: unknown): never => {
    recording.end({ error })
    throw error
  }
  let result: Result
  try {
    result = recorder.runWithin(recording, act)
  } catch (error) {
    return endWithError(error)
  }
  if (!isPromise(result)) {
    endWith(result)
    return result
  }
  const settled = result.then((output) => {
    endWith(output)
    return output
  }, endWithError)
  // Safe: it resolves to the same value as the original promise.
  return settled as Result
}

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
