/**
 * The rows that the trace store accepts and returns. Values (input, output, metadata ...) are JSON text, so that they
 * are returned exactly as sent; the store only searches them and filters by metadata.
 */
import type { RecordedLogFields, RecordedTraceFields } from '@plumbline/contract'

/** A JSON value, kept as its text. */
export type JsonText = string

/** A prompt and its served version; null if none could be served. */
export type ServedPrompt = { slug: string; version: string | null }

/** One run of an application, with the totals over its logs. */
export type TraceRow = RecordedTraceFields & {
  workspaceId: string
  /** A UUIDv7 created on arrival: the store locates the trace by its milliseconds. */
  traceId: string
  /** Microseconds since 1970. */
  startUs: bigint
  endUs: bigint | null
  durationUs: bigint | null
  name: string
  featureSlug: string | null
  experimentId: string | null
  userId: string | null
  userName: string | null
  organizationId: string | null
  organizationName: string | null
  input: JsonText | null
  output: JsonText | null
  idealOutput: JsonText | null
  /** The text of an object whose top-level keys can be filtered by. */
  metadata: JsonText | null
  evaluators: JsonText | null
  /** Slugs of the evaluators that the trace and its logs refer to, each once. */
  judges: string[]
  evaluationConfig: JsonText | null
  sampled: boolean
  sampleRate: number | null
  /**
   * What decided the sampling: `experiment`, `trace`, `evaluator:SLUG`, `default` or `client`; null if no evaluator
   * would judge it.
   */
  sampledBy: string | null
  warning: string | null
  apiKeyId: string | null
  inputTokens: number
  outputTokens: number
  /** US dollars; null when no price is known for any generation. */
  cost: number | null
  /** Whether we estimated any token count in the totals. */
  tokensEstimated: boolean
  /** How many logs failed. */
  errors: number
  logCount: number
  models: string[]
  /** The distinct types of its logs. */
  logTypes: string[]
  prompts: ServedPrompt[]
  /** JSON of fields without their own column, to return as sent. */
  sent: JsonText | null
}

/** One unit of a trace. */
export type LogRow = RecordedLogFields & {
  workspaceId: string
  traceId: string
  /** The trace's start, so that its logs are stored together and read by key. */
  traceStartUs: bigint
  /** Index in the array that was sent. */
  position: number
  /** The client's own id, unique within the trace. */
  logId: string
  parentId: string | null
  type: string
  name: string | null
  startUs: bigint | null
  endUs: bigint | null
  durationUs: bigint | null
  input: JsonText | null
  output: JsonText | null
  idealOutput: JsonText | null
  metadata: JsonText | null
  evaluators: JsonText | null
  variables: JsonText | null
  /** The prompt reference as sent. */
  prompt: JsonText | null
  promptSlug: string | null
  /** The version that was served, not the requested one. */
  promptVersion: string | null
  model: string | null
  provider: string | null
  inputTokens: number | null
  outputTokens: number | null
  tokensEstimated: boolean
  /** Where the tokens went, for prices: these buckets do not overlap. */
  freshInputTokens: number | null
  cacheReadTokens: number | null
  cacheWriteTokens: number | null
  textOutputTokens: number | null
  reasoningTokens: number | null
  /** Tokens in buckets that few calls have, by bucket name: audio, images, one-hour cache writes. */
  otherTokens: Readonly<Record<string, number>>
  /** How the provider processed the call, such as `batch`; null for the standard tier. */
  serviceTier: string | null
  /** US dollars: the sender's cost, else the estimate. */
  cost: number | null
  costEstimate: number | null
  /** How the cost was computed. */
  costDetail: JsonText | null
  /** False if a log inside this one carries the same tokens, so that sums count them once. */
  countsInTotals: boolean
  /**
   * The cost that counts in sums, which may differ from the cost sent; null if the log adds nothing, 0 if a log above
   * or below it reports the cost.
   */
  costInTotals: number | null
  hasError: boolean
  /** Copied from the trace for metrics. */
  featureSlug: string | null
  experimentId: string | null
  userId: string | null
  organizationId: string | null
  /** JSON of fields without their own column, to return as sent. */
  sent: JsonText | null
}

/** One score of a trace or of one of its logs. */
export type ScoreRow = {
  workspaceId: string
  scoreId: string
  traceId: string
  /** The client's id of the log; null when the whole trace was judged. */
  logId: string | null
  /** The session that was judged, up to the trace; null if a trace or log was judged. */
  sessionId: string | null
  name: string
  value: boolean | number | string
  comment: string | null
  createdAtMs: number
  source: string
  evaluatorSlug: string | null
  evaluatorVersion: string | null
  /** The model that judged. */
  model: string | null
  /** The trace of the judge call. */
  judgeTraceId: string | null
  /** Cost of judging, in US dollars. */
  cost: number | null
  inputTokens: number | null
  outputTokens: number | null
  /** The id of the API key or the person that gave it. */
  apiKeyId: string | null
  /** The name, at that time, of the person or API key that gave it. */
  author: string | null
  /** The end user who gave the score. */
  userId: string | null
  /** The highest revision of a score wins; 0 if it is given once. */
  revision: number
}

/** A trace in a list: previews instead of the large texts. */
export type TraceSummary = Omit<
  TraceRow,
  'input' | 'output' | 'idealOutput' | 'evaluators' | 'judges' | 'evaluationConfig' | 'sent'
> & {
  /** The first characters of the text, so not always valid JSON. */
  inputPreview: string | null
  outputPreview: string | null
}
