/** What an application holds while it records: a trace, and logs nested in it. None of it throws. */
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

/** Fields that are freer here than on the wire. */
interface CommonFields {
  /** Any value. What JSON cannot say is put into words: circles, bytes, big integers, errors. */
  readonly input?: unknown
  readonly output?: unknown
  readonly idealOutput?: unknown
  /** Added to what is there already, key by key. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** When it began; the moment of the call by default. */
  readonly startTime?: Date
  /** When it ended; the moment of `end` by default. */
  readonly endTime?: Date
  /** What went wrong: marks it as failed, as `metadata.error`. */
  readonly error?: unknown
}

/** What is known of a trace: each field as in `POST /monitor/trace`. */
export interface TraceFields
  extends CommonFields,
    Omit<WireTrace, keyof CommonFields | 'logs' | 'chainSlug'> {
  /** Continues a trace of another process: its `traceparent`, or the headers of the request that has it. */
  readonly parent?: TraceParent | undefined
}

/** What is known of a step: each field as in a log of `POST /monitor/trace`. */
export interface LogFields
  extends CommonFields,
    Omit<WireLog, keyof CommonFields | 'id' | 'type' | 'parentId'> {}

/** What is known of a call of a language model. Tokens are counted and the cost priced by the service when absent. */
export interface GenerationFields
  extends CommonFields,
    Omit<WireGeneration, keyof CommonFields | 'id' | 'type' | 'parentId' | 'variables' | 'prompt'> {
  /** As its maker names it, such as `gpt-4o`. */
  readonly model?: string
  /** Who serves the model, such as `open-ai`. */
  readonly provider?: string
  /** The usage as the provider reported it (cached tokens, reasoning tokens). */
  readonly usage?: object
  /** The prompt that was used: what `plumbline.prompt` gave, or a reference. */
  readonly prompt?: { readonly slug: string; readonly version?: string | null; readonly tag?: string | null }
  /** The values that filled the prompt in, by label. */
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The id that the service knows the trace by. */
export type RecordResponse = { readonly trace: { readonly id: string } }

/** What recordings need of the client. */
export interface Recorder {
  /** Whether anything is recorded. */
  readonly isEnabled: boolean
  /** Where the web app shows a trace. */
  urlOf(traceId: string): string
  /** Called for the outermost span of this process in a trace. */
  rootStarted(root: Recording): void
  /** Adds a span that has ended; calls `settle` once, with whether it was stored. */
  addSpan(span: FinishedSpan, isRoot: boolean, settle: (isStored: boolean) => void): void
  readonly reportLoss: (loss: Loss) => void
  /** What may be sent of a value, by the name of its field. */
  readonly mask: (field: string, value: unknown) => unknown
  /** Told of what should not have happened: recording never throws into what it records. */
  readonly reportError: (error: unknown) => void
  /** Runs `act` so that `recording` is the current one in all that it calls. */
  runWithin<Result>(recording: Recording, act: () => Result): Result
}

export interface FinishedSpan {
  readonly traceId: string
  readonly json: string
}

/** Why a value could not be recorded. */
export type Loss = 'too_large' | 'late'

/** Where a recording is in its trace. */
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

/** A trace or a log. Its methods begin the logs in it: with a function they end by themselves when it has ended. */
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

  /** The id of the trace: the service and its web app know the trace by it. */
  get traceId(): string {
    return this.#place.context.traceId
  }

  /** The id of this log in its trace, for scores. */
  get id(): string {
    return this.#place.context.spanId
  }

  /** Where the web app shows the trace. */
  get url(): string {
    return this.#recorder.urlOf(this.traceId)
  }

  /** Whether nothing can be added any more. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Whether an output was given. */
  get hasOutput(): boolean {
    return this.#fields.hasOutput
  }

  /** W3C trace context: sent with a request, it lets the other process continue the trace. */
  traceHeaders(): { readonly traceparent: string } {
    return toTraceHeaders(this.#place.context)
  }

  /** Resolves with the id once it is stored, after its end; undefined once it is lost. It waits for as long as the service is away. */
  recorded(): Promise<RecordResponse | undefined> {
    // Made for those who ask: workers complain of promises that another request settles.
    return new Promise((resolve) => {
      if (this.#settled === undefined) this.#waiting.push(resolve)
      else resolve(this.#settled.result)
    })
  }

  #settle(result: RecordResponse | undefined): void {
    this.#settled = { result }
    for (const resolve of this.#waiting.splice(0)) resolve(result)
  }

  /** Adds what became known. */
  update(values: Partial<Own>): void {
    if (this.#isEnded) this.#recorder.reportLoss('late')
    else this.#write(values)
  }

  /** Adds what became known of the whole trace: on its outermost recording of this process. */
  updateTrace(values: Partial<TraceFields>): void {
    const root = this.#place.root ?? this
    root.update(values as Partial<Own>)
  }

  /** Ends it, once; what comes later is counted as `late`. */
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

  /** The span as it is now; also of a trace that still runs. */
  toSpan(): FinishedSpan {
    const { context, parentSpanId } = this.#place
    return { traceId: context.traceId, json: this.#fields.toJson(context, parentSpanId) }
  }

  /** A call of a language model. */
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

  /** A tool that a model asked for. */
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

  /** Something that happened at one moment. */
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

/** Begins a trace, or continues one of another process; with a type its outermost span is a log of that type. */
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
  // Safe: whatever is no field is reported, and not recorded.
  return new Recording<Values>(recorder, place, type, fields as Values)
}

/** Runs a function within a recording, which ends with what the function returned, resolved to or threw. */
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
  // Safe: a promise of the same value takes the promise's place.
  return settled as Result
}

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
