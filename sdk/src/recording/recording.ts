/** What an application holds while it records: a trace, and logs nested in it. None of it throws. */
import type { InputOf, Log, operations } from '@plumbline/contract'
import { toJson } from '../client/json.ts'
import { Draft, Fields, type Loss } from './draft.ts'

type WireTrace = InputOf<typeof operations.monitor.trace>
type WireGeneration = Extract<Log, { readonly type: 'generation' }>
type WireLog = Exclude<Log, WireGeneration>

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
    Omit<WireTrace, keyof CommonFields | 'logs' | 'chainSlug'> {}

/** What is known of a step: each field as in a log of `POST /monitor/trace`. */
export interface LogFields
  extends CommonFields,
    Omit<WireLog, keyof CommonFields | 'id' | 'type' | 'parentId'> {}

/** What is known of a call of a language model. Tokens are counted and the cost priced by the service when absent. */
export interface GenerationFields
  extends CommonFields,
    Omit<WireGeneration, keyof CommonFields | 'id' | 'type' | 'parentId' | 'variables' | 'prompt'> {
  /** As its maker names it, such as `gpt-4o`; kept as `metadata.model`. */
  readonly model?: string
  /** Who serves the model, such as `open-ai`; kept as `metadata.provider`. */
  readonly provider?: string
  /** The usage as the provider reported it (cached tokens, reasoning tokens); kept as `metadata.usage`. */
  readonly usage?: object
  /** The prompt that was used: what `plumbline.prompt` gave, or a reference. */
  readonly prompt?: { readonly slug: string; readonly version?: string | null; readonly tag?: string | null }
  /** The values that filled the prompt in, by label. */
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The service's answer to a recorded trace. */
export type Recorded = { readonly trace: { readonly id: string }; readonly warning?: string }

/** What recordings need of the client. */
export interface Recorder {
  /** Takes a finished trace; `settle` gets the answer, or undefined when the trace is lost. */
  deliver(json: string, settle: (answer: unknown) => void): void
  readonly reportLoss: (loss: Loss) => void
  /** What may be sent of a value, by the name of its field. */
  readonly mask?: ((field: string, value: unknown) => unknown) | undefined
  /** Told of what should not have happened: recording never throws into what it records. */
  readonly reportError: (error: unknown) => void
  /** Runs `act` so that `recording` is the current one in all that it calls. */
  runWithin<Result>(recording: Recording, act: () => Result): Result
}

/** A trace or a log. Its methods begin the logs in it: with a function they end by themselves when it has ended. */
export abstract class Recording<Own extends CommonFields = CommonFields> {
  readonly #recorder: Recorder
  readonly #draft: Draft
  readonly #fields: Fields
  readonly #parentId: string | undefined
  #isEnded = false

  constructor(recorder: Recorder, draft: Draft, fields: Fields, id: string | undefined, values: object) {
    this.#recorder = recorder
    this.#draft = draft
    this.#fields = fields
    this.#parentId = id
    this.#write({ startTime: draft.nowMs(), ...values })
  }

  /** Whether nothing can be added any more. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Adds what became known. */
  update(values: Partial<Own>): void {
    if (this.#isEnded) this.#recorder.reportLoss('late')
    else this.#write(values)
  }

  /** Ends it, once; what comes later is counted as `late`. */
  end(values: Partial<Own> = {}): void {
    if (this.#isEnded) return
    if (!this.#draft.isEnded) this.#write({ endTime: this.#draft.nowMs(), ...values })
    else this.#recorder.reportLoss('late')
    this.#isEnded = true
    this.ended(this.#draft, this.#fields)
  }

  /** What the end of this kind of recording brings with it. */
  protected abstract ended(draft: Draft, fields: Fields): void

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
    new LogRecording<LogFields>(this.#recorder, this.#draft, 'event', this.#parentId, values).end()
  }

  #begin<Values extends CommonFields, Result>(
    type: Log['type'],
    values: Values,
    run: ((log: LogRecording<Values>) => Result) | undefined,
  ): LogRecording<Values> | Result {
    const log = new LogRecording<Values>(this.#recorder, this.#draft, type, this.#parentId, values)
    return run === undefined ? log : runWithin(this.#recorder, log, () => run(log))
  }

  /** Whether an output was given. */
  get hasOutput(): boolean {
    return this.#fields.has('output')
  }

  #write(values: object): void {
    try {
      this.#draft.write(this.#fields, toWire(values))
    } catch (error) {
      this.#recorder.reportError(error)
    }
  }
}

/** Runs a function within a recording, which ends with what the function returned, resolved to or threw. */
export function runWithin<Result>(recorder: Recorder, recording: Recording, act: () => Result): Result {
  const ended = (output: unknown): void => recording.end(recording.hasOutput ? {} : { output })
  const failed = (error: unknown): never => {
    recording.end({ error })
    throw error
  }
  let result: Result
  try {
    result = recorder.runWithin(recording, act)
  } catch (error) {
    return failed(error)
  }
  if (!isPromise(result)) {
    ended(result)
    return result
  }
  const settled = result.then((output) => {
    ended(output)
    return output
  }, failed)
  // Safe: a promise of the same value takes the promise's place.
  return settled as Result
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Fields as the wire has them: what it knows no field for is metadata. */
function toWire(values: object): object {
  const { error, model, provider, usage, variables, prompt, metadata, ...rest }: GenerationFields = values
  const inMetadata = { model, provider, usage, error: error instanceof Error ? describeError(error) : error }
  const entries = Object.entries(inMetadata).filter(([, value]) => value !== undefined)
  return {
    ...rest,
    metadata: { ...metadata, ...Object.fromEntries(entries) },
    // Only what refers to the prompt: a whole one has its texts too.
    ...(prompt === undefined
      ? {}
      : { prompt: { slug: prompt.slug, version: prompt.version, tag: prompt.tag } }),
    ...(variables === undefined
      ? {}
      : { variables: Object.entries(variables).map(([label, value]) => ({ label, value })) }),
  }
}

const describeError = ({ name, message, cause }: Error): object =>
  cause === undefined ? { name, message } : { name, message, cause: JSON.parse(toJson(cause)) }

/** One step of a trace. */
export class LogRecording<Own extends CommonFields = LogFields> extends Recording<Own> {
  /** The log's id in its trace, for scores. */
  readonly id: string

  constructor(
    recorder: Recorder,
    draft: Draft,
    type: Log['type'],
    parentId: string | undefined,
    values: Own,
  ) {
    const { id, fields } = draft.addLog()
    super(recorder, draft, fields, id, { id, type, parentId, ...values })
    this.id = id
  }

  protected override ended(): void {}
}

export type GenerationRecording = LogRecording<GenerationFields>

/** One run of an application. Nothing is sent before it ends. */
export class TraceRecording extends Recording<TraceFields> {
  readonly #recorder: Recorder
  #settle: (answer: Recorded | undefined) => void = () => {}
  readonly #recorded = new Promise<Recorded | undefined>((resolve) => {
    this.#settle = resolve
  })

  constructor(recorder: Recorder, values: TraceFields) {
    const draft = new Draft(recorder.reportLoss, recorder.mask)
    super(recorder, draft, new Fields(), undefined, values)
    this.#recorder = recorder
  }

  /** The service's answer once the trace is stored; undefined once it is lost. It waits for as long as the service is away. */
  recorded(): Promise<Recorded | undefined> {
    return this.#recorded
  }

  protected override ended(draft: Draft, fields: Fields): void {
    // Safe: the service's answer is checked to be its own before it comes here.
    this.#recorder.deliver(draft.end(fields), (answer) => this.#settle(answer as Recorded | undefined))
  }
}
