/**
 * The shapes the trace store takes and gives back. Values (input, output, metadata ...) are JSON text, so that they
 * come back as they were sent; the store never looks inside them, apart from searching them and filtering by
 * metadata. Nothing here loads an engine: a worker thread builds rows without one.
 */
export {
  type AssembledRow,
  arrivalMs,
  encodeAssembledLogRow,
  encodeAssembledTraceRow,
  encodeLogRow,
  encodeScoreRow,
  encodeSpanRow,
  encodeTraceRow,
  type SpanRow,
} from './encode-rows.ts'

/** A JSON value, kept as its text. */
export type JsonText = string

/** A prompt and the version of it that was served; null when nothing could be served. */
export type ServedPrompt = { slug: string; version: string | null }

/** One run of an application, with the totals over its logs. */
export type TraceRow = {
  workspaceId: string
  /** A UUIDv7 made on ARRIVAL: its milliseconds are where the store looks for the trace. */
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
  sessionId: string | null
  input: JsonText | null
  output: JsonText | null
  idealOutput: JsonText | null
  /** An object's text; its top-level keys can be filtered by. */
  metadata: JsonText | null
  evaluators: JsonText | null
  /** Slugs of the evaluators that it and its logs refer to, each once. */
  judges: string[]
  evaluationConfig: JsonText | null
  sampled: boolean
  sampleRate: number | null
  /** What decided: `experiment`, `trace`, `evaluator:SLUG`, `default` or `client`; null when nothing would judge it. */
  sampledBy: string | null
  warning: string | null
  apiKeyId: string | null
  inputTokens: number
  outputTokens: number
  /** US dollars; null when no price is known for any generation. */
  cost: number | null
  /** Whether any token count in the totals is our own. */
  tokensEstimated: boolean
  /** How many logs failed. */
  errors: number
  logCount: number
  models: string[]
  /** The types of its logs, each once. */
  logTypes: string[]
  prompts: ServedPrompt[]
  /** What was sent, has to be given back, and has no column of its own. */
  sent: JsonText | null
}

/** One unit of a trace. */
export type LogRow = {
  workspaceId: string
  traceId: string
  /** The trace's start, so that its logs lie together and are read by key. */
  traceStartUs: bigint
  /** Place in the array that was sent. */
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
  /** The prompt reference as it was sent. */
  prompt: JsonText | null
  promptSlug: string | null
  /** The version served, not the one asked for. */
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
  /** US dollars: the cost given, else the estimate. */
  cost: number | null
  costEstimate: number | null
  /** How the cost was made. */
  costDetail: JsonText | null
  /** False where a log inside this one carries the same usage, so that sums count it once. */
  countsInTotals: boolean
  /** What sums take as the cost, which is not always the cost sent; null where the log adds nothing. */
  costInTotals: number | null
  hasError: boolean
  /** The trace's own, copied for metrics. */
  featureSlug: string | null
  experimentId: string | null
  userId: string | null
  organizationId: string | null
  /** What was sent, has to be given back, and has no column of its own. */
  sent: JsonText | null
}

/** One judgement of a trace or of one of its logs. */
export type ScoreRow = {
  workspaceId: string
  scoreId: string
  traceId: string
  /** The client's id of the log; null when the whole trace was judged. */
  logId: string | null
  name: string
  value: boolean | number | string
  comment: string | null
  createdAtMs: number
  source: string
  evaluatorSlug: string | null
  evaluatorVersion: string | null
  /** The model that judged. */
  model: string | null
  /** US dollars for the judgement. */
  cost: number | null
  inputTokens: number | null
  outputTokens: number | null
  /** Of the API key or the person that gave it. */
  apiKeyId: string | null
  /** The name of the person or the API key that gave it, as it was then. */
  author: string | null
  /** The end user whose judgement it is. */
  userId: string | null
  /** Of rows of one score the highest is the one; 0 where a score is given once. */
  revision: number
}

/** A row that an engine can be asked for in a list: previews instead of the big texts. */
export type TraceSummary = Omit<
  TraceRow,
  'input' | 'output' | 'idealOutput' | 'evaluators' | 'judges' | 'evaluationConfig' | 'sent'
> & {
  /** The first characters of the text: cut, so not always JSON. */
  inputPreview: string | null
  outputPreview: string | null
}
