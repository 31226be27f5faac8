/** The client: built only from its options. Nothing connects before the first use. */
import type { InputOf, operations } from '@plumbline/contract'
import { type ExperimentPlan, type ExperimentResult, runExperiment } from '../experiment.ts'
import { Delivery, type DeliveryOptions, type DeliveryStats } from '../recording/delivery.ts'
import { type Mask, maskField, maskRecord } from '../recording/mask.ts'
import { type AnyFunction, type ObserveOptions, observeFunction } from '../recording/observe-function.ts'
import {
  type GenerationFields,
  type LogFields,
  type LogType,
  type Recorder,
  type Recording,
  runWithin,
  startTrace,
  type TraceFields,
  type TraceRecording,
} from '../recording/recording.ts'
import { reportOnConsole } from '../recording/report-on-console.ts'
import { RunningTraces } from '../recording/running-traces.ts'
import type { Message, Render, Variables } from '../render.ts'
import { readEnvironment } from './environment.ts'
import { contentCharsMax, toJson } from './json.ts'
import { type ConnectionOptions, makeConnection } from './make-connection.ts'
import { makeOperations, type Operations } from './operations.ts'
import { asyncStorage } from './platform.ts'
import {
  PromptCache,
  type PromptCacheOptions,
  type PromptSelector,
  type ServedPrompt,
} from './prompt-cache.ts'

/** Options of a client; the defaults suit a server application. */
export interface ClientOptions extends Partial<ConnectionOptions & PromptCacheOptions & DeliveryOptions> {
  /** Whether to record anything; `PLUMBLINE_ENABLED` by default, else true. */
  readonly enabled?: boolean
  /** Defaults for traces that set none: `PLUMBLINE_FEATURE`, `PLUMBLINE_ENVIRONMENT` and `PLUMBLINE_RELEASE` by default. */
  readonly featureSlug?: string
  readonly environment?: string
  readonly release?: string
  /**
   * Masks recorded values. It runs before anything leaves the process; values for which it throws are left out.
   */
  readonly mask?: Mask
  /** Renders prompts: pass `render` from `@plumbline/sdk/render`. */
  readonly render?: Render
}

const defaults = {
  promptTtlMs: 60_000,
  recordsMax: 50_000,
  bytesMax: 64 * 2 ** 20,
  concurrency: 4,
  batchDelayMs: 100,
  runningDelayMs: 1000,
  pauseMsMin: 500,
  pauseMsMax: 30_000,
} as const

/** How long `flush` and `close` wait by default, in milliseconds. */
const flushMs = 10_000

export interface PromptOptions extends PromptSelector {
  /** Values for the template, by label. A dotted label sets a field: `user.name`. */
  readonly variables?: Variables
}

export interface RenderedPrompt extends ServedPrompt {
  /** The system message, if the prompt has one, and the user message. */
  readonly messages: Message[]
}

type NewScore = InputOf<typeof operations.scores.create>

/** All API operations by name, and the functions that applications use every day. */
export interface Plumbline<Served extends ServedPrompt = ServedPrompt> extends Operations {
  /**
   * Returns the prompt version to run now, from a cache that is refreshed in the background, so that it works while the
   * service is down. Rejects only if the prompt was never fetched before, or if its template cannot be rendered.
   */
  prompt(slug: string, options?: PromptOptions): Promise<Served>

  /** Starts a trace, whose spans are sent in the background as they end. With a function, the trace ends when it does. */
  trace(values?: TraceFields): TraceRecording
  trace<Result>(values: TraceFields, run: (trace: TraceRecording) => Result): Result

  /**
   * Wraps a function so that each call is recorded, as a log in the current recording or as a trace of its own. Supports
   * functions of all kinds, including asynchronous functions, generators and asynchronous generators.
   */
  observe<Observed extends AnyFunction>(fn: Observed, options?: ObserveOptions): Observed

  /** Starts a log in `parent`, else in the current recording; without either, a trace with it as the outermost log. */
  start<Values extends LogFields | GenerationFields>(
    type: LogType,
    values: Values,
    options?: { readonly parent?: Recording | undefined },
  ): Recording<Values>

  /** Adds or changes fields of the current trace. */
  updateTrace(values: Partial<TraceFields>): void

  /** The W3C trace context of the current recording, for requests to other processes; `{}` if there is none. */
  traceHeaders(): { readonly traceparent?: string }

  /** The innermost trace or log whose function is running, on platforms with AsyncLocalStorage. */
  readonly current: Recording | undefined

  /**
   * Records a score in the background: never throws, and never records a score twice. With `userId`, a later score by the
   * same user with the same name replaces the earlier one; such scores arrive in the order of the calls.
   */
  score(score: NewScore): void

  /** Runs a function over a dataset and evaluates its outputs. Rejects if the dataset or the feature cannot be loaded. */
  experiment<Scores extends string>(plan: ExperimentPlan<Scores>): Promise<ExperimentResult<Scores>>

  /** Resolves when everything recorded so far is delivered or dropped, or after `timeoutMs` (10,000); never rejects. */
  flush(options?: { readonly timeoutMs?: number }): Promise<DeliveryStats>
  /** Flushes, then drops whatever is left. */
  close(options?: { readonly timeoutMs?: number }): Promise<DeliveryStats>
  /** Delivery counts so far. */
  readonly stats: DeliveryStats
  /** Number of records and single logs dropped so far; `stats.dropped` has them by reason. */
  readonly dropped: number
}

/**
 * Creates a client for one service and one key, from options, with defaults from the environment. Throws a `TypeError` if
 * the URL or the key is invalid. With `render`, prompts also include messages.
 */
export function createClient(options: ClientOptions & { readonly render: Render }): Plumbline<RenderedPrompt>
export function createClient(options?: ClientOptions): Plumbline
export function createClient(options: ClientOptions = {}): Plumbline {
  const onError = ignoreFailures(options.onError ?? reportOnConsole())
  const settings = { ...defaults, ...readEnvironment(), ...withoutUndefined(options), onError }
  const connection = makeConnection(settings)
  const reportError = (error: unknown): void =>
    onError(error instanceof Error ? error : new Error(String(error)))
  const { mask } = settings
  const maskInput = mask && ((input: object) => maskRecord(mask, input, reportError))
  const operations = makeOperations(connection, maskInput)
  const prompts = new PromptCache(connection, settings)
  const delivery = new Delivery(connection, settings)
  const running = new RunningTraces(settings.runningDelayMs, ({ json, traceId }) =>
    delivery.addSpan(json, traceId),
  )
  const recordings = asyncStorage<Recording>()
  const recorder: Recorder = {
    isEnabled: isEnabled(settings, reportError),
    urlOf: (traceId) => `${connection.baseUrl}/app/traces/${traceId}`,
    rootStarted: (root) => running.started(root),
    addSpan({ json, traceId }, isRoot, settle) {
      if (isRoot) running.ended(traceId)
      delivery.addSpan(json, traceId, settle)
    },
    reportLoss: (loss) => delivery.drop(loss, lossMessages[loss]),
    reportError,
    mask:
      mask === undefined
        ? (_field, value) => value
        : (field, value) => maskField(mask, field, value, reportError, contentCharsMax),
    runWithin: (recording, act) => (recordings === undefined ? act() : recordings.run(recording, act)),
  }
  const { featureSlug, environment, release } = settings
  const traceDefaults = withoutUndefined({ featureSlug, environment, release })

  function trace(values?: TraceFields): TraceRecording
  function trace<Result>(values: TraceFields, run: (trace: TraceRecording) => Result): Result
  function trace<Result>(values: TraceFields = {}, run?: (trace: TraceRecording) => Result) {
    const recording: TraceRecording = startTrace(recorder, { ...traceDefaults, ...values })
    return run === undefined ? recording : runWithin(recorder, recording, () => run(recording))
  }

  const start: Plumbline['start'] = (type, values, { parent = recordings?.getStore() } = {}) =>
    parent === undefined
      ? startTrace(recorder, { ...traceDefaults, ...values }, type)
      : parent.log(type, values)

  return {
    ...operations,
    async prompt(slug, { variables = {}, ...selector } = {}) {
      const served = await prompts.get(slug, selector)
      return options.render === undefined
        ? served
        : { ...served, messages: options.render(served.prompt, variables) }
    },
    trace,
    observe: (fn, observeOptions = {}) => observeFunction({ recorder, start }, fn, observeOptions),
    start,
    updateTrace: (values) => recordings?.getStore()?.updateTrace(values),
    traceHeaders: () => recordings?.getStore()?.traceHeaders() ?? {},
    get current() {
      return recordings?.getStore()
    },
    score(score) {
      if (!recorder.isEnabled) return
      // Plain JavaScript may pass nothing at all; the service rejects that.
      const traceId = typeof score?.traceId === 'string' ? score.traceId : undefined
      if (traceId !== undefined) running.sendNow(traceId)
      delivery.addScore(toJson(maskInput?.(Object(score)) ?? score), traceId, scoreSubject(score))
    },
    experiment: (plan) => runExperiment({ operations, trace, delivery }, plan),
    flush: ({ timeoutMs = flushMs } = {}) => delivery.flush(timeoutMs),
    close({ timeoutMs = flushMs } = {}) {
      running.close()
      return delivery.close(timeoutMs)
    },
    get stats() {
      return delivery.stats
    },
    get dropped() {
      return Object.values(delivery.stats.dropped).reduce((sum, count) => sum + count, 0)
    },
  }
}

/** Without a key, nothing can be recorded: this is reported once, and the application keeps running. */
function isEnabled(
  {
    enabled = true,
    apiKey,
    baseUrl,
  }: Pick<ClientOptions, 'enabled' | 'apiKey'> & { readonly baseUrl: string },
  reportError: (error: Error) => void,
): boolean {
  if (!enabled) return false
  if (apiKey !== undefined || isOwnPage(baseUrl)) return true
  reportError(new Error('Nothing is recorded: there is no API key. Set apiKey or PLUMBLINE_API_KEY.'))
  return false
}

/** Scores with the same subject replace each other; a score without a user has no subject. */
const scoreSubject = (score: NewScore): string | undefined =>
  // Plain JavaScript may pass nothing at all; the service rejects that.
  score?.userId == null ? undefined : toJson([score.traceId, score.logId ?? null, score.name, score.userId])

const lossMessages = {
  too_large: 'A trace or log reached the limit of 16 MiB; later data was dropped.',
  late: 'Something was recorded of a trace or log that had ended.',
} as const

/** Drops undefined options, so that they do not override defaults. */
const withoutUndefined = <Options extends object>(options: Options): Options =>
  // Safe: it only drops undefined values.
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as unknown as Options

/** Swallows errors of the callback: there is nowhere else to report them, and the application must continue. */
const ignoreFailures =
  (onError: (error: Error) => void) =>
  (error: Error): void => {
    try {
      onError(error)
    } catch {}
  }

/** Whether this runs in a page that the service serves, whose requests carry the session cookie. */
const isOwnPage = (baseUrl: string): boolean => {
  const { location } = globalThis as { location?: { readonly origin: string } }
  return location !== undefined && new URL(baseUrl).origin === location.origin
}
