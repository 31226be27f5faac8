/** The client: builds its parts from what it is given, and reads nothing else. Nothing connects before it is used. */
import type { InputOf, operations } from '@plumbline/contract'
import { paths } from '@plumbline/contract/paths'
import { Delivery, type DeliveryOptions, type DeliveryStats } from './delivery.ts'
import type { Connection, Fetch } from './exchange.ts'
import { type ExperimentPlan, type ExperimentResult, runExperiment } from './experiment.ts'
import { toJson } from './json.ts'
import { makeOperations, type Operations } from './operations.ts'
import { asyncStorage } from './platform.ts'
import { PromptCache, type PromptCacheOptions, type ServedPrompt, type WhichPrompt } from './prompt-cache.ts'
import { type Recorder, type Recording, runWithin, type TraceFields, TraceRecording } from './recording.ts'
import type { Message, Render, Variables } from './render.ts'
import { tellOnConsole } from './tell-on-console.ts'

/** What a client can be told; every default is made for a server application. */
export interface ClientOptions extends Partial<PromptCacheOptions & DeliveryOptions> {
  /** Address of the service, such as `http://localhost:4747`. */
  readonly baseUrl: string
  /** An API key: `pl_…`. Only a page that the service itself serves does without: the session's cookie speaks for it. */
  readonly apiKey?: string
  /** Longest wait for an answer, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number
  /** Another fetch than the platform's. */
  readonly fetch?: Fetch
  /** How prompts are filled in: `render` of `@plumbline/sdk/render`. */
  readonly render?: Render
}

const defaults = {
  timeoutMs: 30_000,
  promptTtlMs: 60_000,
  recordsMax: 10_000,
  bytesMax: 64 * 2 ** 20,
  concurrency: 4,
  batchDelayMs: 250,
  pauseMsMin: 500,
  pauseMsMax: 30_000,
} as const

/** How long `flush` and `close` wait by default. */
const flushMs = 10_000

export interface PromptOptions extends WhichPrompt {
  /** What fills the template in, by label. A dotted label is a field: `user.name`. */
  readonly variables?: Variables
}

export interface RenderedPrompt extends ServedPrompt {
  /** The system message, where the prompt has one, and the user message. */
  readonly messages: Message[]
}

type GivenScore = InputOf<typeof operations.scores.create>

/** Every operation of the interface by its name, and what an application does all day. */
export interface Plumbline<Served extends ServedPrompt = ServedPrompt> extends Operations {
  /**
   * The version of a prompt to run now: from memory, refreshed in the background, so that it is there while the
   * service is away. Rejects only if this prompt was never fetched before, or its template cannot be rendered.
   */
  prompt(slug: string, options?: PromptOptions): Promise<Served>

  /** Begins a trace; it is sent, in the background, when it has ended. Given a function, it ends with that function. */
  trace(values?: TraceFields): TraceRecording
  trace<Result>(values: TraceFields, run: (trace: TraceRecording) => Result): Result

  /** The innermost trace or log whose function is running, on platforms that have AsyncLocalStorage. */
  readonly current: Recording | undefined

  /**
   * Gives a score in the background, as traces are sent: it never throws, and is not given twice. With `userId`, what
   * the same user gives again under the same name takes the place of what was given before: they arrive in the order in
   * which they were given.
   */
  score(score: GivenScore): void

  /** Runs a function over a dataset and judges what it made. Rejects when the dataset or the feature cannot be had. */
  experiment<Scores extends string>(plan: ExperimentPlan<Scores>): Promise<ExperimentResult<Scores>>

  /** Resolves when everything recorded so far is delivered or lost, or after `timeoutMs` (10,000); never rejects. */
  flush(options?: { readonly timeoutMs?: number }): Promise<DeliveryStats>
  /** Flushes, and gives up what is left. */
  close(options?: { readonly timeoutMs?: number }): Promise<DeliveryStats>
  /** What became of the records so far. */
  readonly stats: DeliveryStats
  /** How many records, and single logs, were lost so far; `stats.dropped` tells why. */
  readonly dropped: number
}

/**
 * A client of one service under one key. Throws a `TypeError` for an address or a key that cannot be.
 * With `render`, prompts come as messages too.
 */
export function createClient(options: ClientOptions & { readonly render: Render }): Plumbline<RenderedPrompt>
export function createClient(options: ClientOptions): Plumbline
export function createClient(options: ClientOptions): Plumbline {
  const onError = quietly(options.onError ?? tellOnConsole())
  const given = { ...defaults, ...stated(options), onError }
  const connection = connectionOf(given)
  const operations = makeOperations(connection)
  const prompts = new PromptCache(connection, given)
  const delivery = new Delivery(connection, given)
  const recordings = asyncStorage<Recording>()
  const recorder: Recorder = {
    deliver: (json, settle) => delivery.add(paths.monitor.trace, json, settle),
    lost: (loss) => delivery.drop(loss, lossSentences[loss]),
    failed: (error) => onError(error instanceof Error ? error : new Error(String(error))),
    within: (recording, act) => (recordings === undefined ? act() : recordings.run(recording, act)),
  }

  function trace(values?: TraceFields): TraceRecording
  function trace<Result>(values: TraceFields, run: (trace: TraceRecording) => Result): Result
  function trace<Result>(values: TraceFields = {}, run?: (trace: TraceRecording) => Result) {
    const recording = new TraceRecording(recorder, values)
    return run === undefined ? recording : runWithin(recorder, recording, () => run(recording))
  }

  return {
    ...operations,
    async prompt(slug, { variables = {}, ...which } = {}) {
      const served = await prompts.get(slug, which)
      return options.render === undefined
        ? served
        : { ...served, messages: options.render(served.prompt, variables) }
    },
    trace,
    get current() {
      return recordings?.getStore()
    },
    score: (score) => delivery.add(paths.scores.create, toJson(score), () => {}, subjectOf(score)),
    experiment: (plan) => runExperiment({ operations, trace, delivery }, plan),
    flush: ({ timeoutMs = flushMs } = {}) => delivery.flush(timeoutMs),
    close: ({ timeoutMs = flushMs } = {}) => delivery.close(timeoutMs),
    get stats() {
      return delivery.stats
    },
    get dropped() {
      return Object.values(delivery.stats.dropped).reduce((sum, count) => sum + count, 0)
    },
  }
}

/** The operations alone, for what calls them and records nothing: a page leaves the rest out of its bundle. */
export const createOperations = ({
  timeoutMs = defaults.timeoutMs,
  ...options
}: Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'timeoutMs' | 'fetch'>): Operations =>
  makeOperations(connectionOf({ ...options, timeoutMs }))

/** Scores of one subject take each other's place; without a user each is one of its own. */
const subjectOf = (score: GivenScore): string | undefined =>
  // Plain JavaScript may hand over nothing at all, which is for the service to refuse.
  score?.userId == null ? undefined : toJson([score.traceId, score.logId ?? null, score.name, score.userId])

const lossSentences = {
  too_large:
    'A trace grew to the 16 MiB or 50,000 logs that the service takes; what came after that is left out.',
  late: 'Something was recorded after its trace or log had ended.',
} as const

/** A setting that is given as undefined is not given. */
const stated = (options: ClientOptions): ClientOptions =>
  // Safe: it only leaves out what is undefined anyway.
  Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as ClientOptions

/** A callback that fails has nobody else to tell, and the application must go on. */
const quietly =
  (onError: (error: Error) => void) =>
  (error: Error): void => {
    try {
      onError(error)
    } catch {}
  }

function connectionOf({
  baseUrl,
  apiKey,
  timeoutMs,
  fetch,
}: ClientOptions & { timeoutMs: number }): Connection {
  if (!URL.canParse(baseUrl)) {
    throw new TypeError(`baseUrl must be an address such as http://localhost:4747, and is "${baseUrl}".`)
  }
  if (apiKey === undefined ? !isOwnPage(baseUrl) : typeof apiKey !== 'string' || apiKey === '') {
    throw new TypeError('apiKey must be an API key: pl_…')
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey,
    timeoutMs,
    // Looked up at each call, so that what replaces it later (tracing, tests) is used.
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
  }
}

/** Whether this runs in a page of the service itself, whose requests carry the session's cookie. */
const isOwnPage = (baseUrl: string): boolean => {
  const { location } = globalThis as { location?: { readonly origin: string } }
  return location !== undefined && new URL(baseUrl).origin === location.origin
}
