/** The data that the trace store accepts and returns. Imports only row types, so that every query module can import it. */
import type { TraceCondition } from '@plumbline/contract'
import type { LogRow, ScoreRow, TraceRow, TraceSummary } from './rows/row-types.ts'

/** A batch of encoded rows; any block may be empty. */
export type InsertBatch = {
  /** The same bytes under the same token are stored once, however often they are inserted. */
  token: string
  /** Blocks encoded by `rows.ts`; empty if there are no rows. */
  traces: Buffer
  logs: Buffer
  scores: Buffer
  /** OpenTelemetry spans to assemble. */
  spans?: Buffer
  /** The numbers of the shards whose rows are left out. */
  withoutShards?: ReadonlySet<number>
}

export type Table = 'traces' | 'logs' | 'scores' | 'spans'

/** A row that the engine rejects permanently. `row` is its index in the block, from 0. */
export type RejectedRow = { table: Table; row: number; error: string }

export type InsertResult = { rejectedRows: RejectedRow[] }

/** The fields that identify a score. */
export type StoredScore = Pick<
  ScoreRow,
  'scoreId' | 'traceId' | 'logId' | 'name' | 'value' | 'createdAtMs' | 'source'
>

/** A trace with its logs and scores. */
export type StoredTrace = { trace: TraceRow; logs: LogRow[]; scores: ScoreRow[] }

/** A trace as a walk reads it, with the revision of its logs. */
export type WalkedTrace = StoredTrace & { readonly revision: string }

/** A trace with its scores, and with its logs only if there are few. */
export type TraceHead = {
  trace: TraceRow
  scores: ScoreRow[]
  /** Undefined if there are more than the reader accepts. */
  logs: LogRow[] | undefined
  /** The number of generations in the sums without a cost, and with tokens that we counted. */
  incompleteness: { unpriced: number; estimated: number }
}

/** The fields of a log that a tree shows. */
export type LogOutline = Pick<
  LogRow,
  | 'position'
  | 'logId'
  | 'parentId'
  | 'type'
  | 'name'
  | 'startUs'
  | 'endUs'
  | 'model'
  | 'inputTokens'
  | 'outputTokens'
  | 'tokensEstimated'
  | 'cost'
  | 'costEstimate'
  | 'costDetail'
  | 'countsInTotals'
  | 'costInTotals'
> & {
  /** The beginning of the error's JSON text; null if the log did not fail. */
  error: string | null
}

export type LogQuery = {
  /** In lower case; the texts of a log must contain each of them. */
  words: readonly string[]
  /** Whether to read how costs were estimated. */
  hasCostDetail: boolean
  limit: number
  /** The position of the last log of the previous page. */
  after: number | undefined
}

/** Where a page of a list ended; opaque to callers, who pass it back unchanged. */
export type Position = { startUs: bigint; traceId: string }

export type TraceFilters = {
  /** All of these conditions must hold. */
  where?: readonly StoreCondition[]
  /** Inclusive, on the start, in microseconds. */
  fromUs?: bigint
  /** Exclusive, on the start, in microseconds. */
  toUs?: bigint
  /** Inclusive, on the arrival, in milliseconds. */
  receivedFromMs?: bigint
  /** Words or a phrase, somewhere in the trace or one of its logs. */
  q?: string
}

/** What a live rule applies to: matching traces, or their logs of a type. */
export type LiveSelection = { readonly filters: TraceFilters; readonly logType?: string | undefined }

/** A trace, or one of its logs. */
export type LiveMatch = { traceId: string; logId: string | undefined; digest: string }

/** The latest state of a session. */
export type SessionEnd = {
  /** Its last trace by start. */
  traceId: string
  /** When the latest of its traces arrived. */
  receivedAt: Date
  /** Computed from its traces and their texts. */
  digest: string
}

export type LiveSums = { matching: number; judged: number }

/** One of several traces that one OpenTelemetry trace was split into. */
export type LinkedTrace = { traceId: string; name: string }

/** A page of a list, newest start first. */
export interface PageQuery {
  readonly limit: number
  readonly before?: Position | undefined
  /** A statement that returns more bytes fails as too large. */
  readonly bytesMax?: number | undefined
  /** A search that reads texts stops after this many traces even if the page is not full; by default it continues. */
  readonly tracesToSearch?: number
  /** The minimum number of traces in the first slice of a search; each further slice has several times as many. */
  readonly firstSlice?: number
}

export type TracePage = {
  traces: TraceSummary[]
  next?: Position
  /** Present if a search stopped before the page was full: the start of the earliest trace that it covered. */
  searchedFromUs?: bigint
}

/** A count estimated from a sample, with half the width of its 95 % confidence interval. */
export interface Estimate {
  readonly count: number
  readonly marginOfError: number
}

export interface FacetQuery {
  readonly fields: readonly string[]
  /** Only values that begin with this text, or whose name contains it. */
  readonly prefix?: string | undefined
  /** The maximum number of values per field. */
  readonly limit: number
  readonly sampleSize?: SampleSize
}

export interface SampleSize {
  /** About how many traces a sample has. */
  readonly traces: number
  /** A list with at most this many traces is counted in full. */
  readonly listMax: number
  /** The same if a search reads the texts of each trace. */
  readonly listMaxWithTexts: number
}

/** The values of fields among the traces of a list. */
export interface Facets {
  readonly facets: Facet[]
  /** Present if the counts are estimates: how many traces were counted, and out of how many. */
  readonly sample?: { readonly traces: number; readonly total: number }
}

/** Values of a field, the most frequent first. */
export type Facet = {
  field: string
  values: { value: string; label?: string; count: number; marginOfError?: number }[]
}

export type HistogramBucket = { startUs: bigint; traces: number; failed: number; cost: number | null }

/** The times that the first and the last bucket of a histogram must cover. */
export type HistogramRange = { readonly firstUs: bigint; readonly lastUs: bigint }

export type HistogramOptions = {
  readonly chooseWidth: (range: HistogramRange) => bigint
  /** Whether traces that start after the end of the filters count in the last bucket. */
  readonly includesLater?: boolean
  /** The time zone that defines where buckets begin; UTC if absent. */
  readonly timeZone?: string | undefined
}

export type Histogram = {
  readonly range: HistogramRange
  readonly widthUs: bigint
  /** The non-empty buckets. */
  readonly buckets: readonly HistogramBucket[]
}

/** The rank of a value among others: `rank` is the fraction of them that are no larger. */
export type TraceRank = {
  value: number | null
  rank: number | null
  p50: number | null
  p95: number | null
  p99: number | null
}

export type InsertCounts = {
  readonly inserts: number
  readonly rowsInserted: number
  readonly rejectedRows: number
}

export type StoreStatistics = {
  readonly activeParts: number
  readonly bytesOnDisk: number
}

/** A part that is missing from query results because it is damaged on disk. */
export type DamagedPart = {
  readonly table: string
  readonly part: string
  /** Rows that are missing; undefined if the engine cannot tell. */
  readonly rows: number | undefined
  /** What the engine found. */
  readonly problem: string
  /** When it was set aside; undefined if it was not set aside here. */
  readonly since: Date | undefined
}

/** What a check of every part found. */
export type PartCheck = {
  /** Parts checked. */
  readonly parts: number
  /** Found damaged by this check. */
  readonly damagedParts: readonly DamagedPart[]
  /** Missing from query results after this check. */
  readonly missingParts: readonly DamagedPart[]
}

/** How to sample the traces that match the filters. */
export type SampleOptions = {
  readonly limit: number
  /** Samples uniformly at random, with the same traces for the same seed; if absent, returns the latest traces. */
  readonly seed?: string | undefined
  /** Only this fraction of traces; whether a trace belongs to it depends only on its id and the seed. */
  readonly fraction?: number | undefined
}

export type ExperimentTrace = {
  traceId: string
  experimentId: string
  startUs: bigint
  durationMs: number | null
  cost: number | null
  tokens: number
  errors: number
  /** `metadata.datasetRowId`, `metadata.dataset` and so on; empty when absent. */
  datasetRowId: string
  dataset: string
  datasetVersion: string
  split: string
  label: string
  row: string
  /** Evaluators of the whole trace. */
  evaluatorSlugs: string[]
  /** Hash of the input's JSON text. */
  inputHash: string
  scores: { name: string; value: ScoreRow['value'] }[]
}

export type TraceTexts = {
  input: string | null
  output: string | null
  idealOutput: string | null
}

/** A log of a trace, by the client's id. */
export type LogKey = { readonly traceId: string; readonly logId: string }

/** The scores of an evaluator in a time range, in milliseconds. */
export type EvaluatorScoresQuery = {
  readonly evaluatorSlug: string
  readonly fromMs?: bigint | undefined
  readonly toMs?: bigint | undefined
}

/** Selects the logs of a prompt in traces that began within a time range. */
export type PromptUse = {
  readonly slug: string
  /** Inclusive, on the start of the trace, in microseconds. */
  readonly fromUs: bigint
  /** Exclusive. */
  readonly toUs: bigint
}

/** The use of one version by one API key; `apiKeyId` is null if unknown. */
export type VersionUse = {
  version: string
  apiKeyId: string | null
  traces: number
  firstUs: bigint
  lastUs: bigint
}

/** Statistics of one version. */
export type VersionSums = {
  version: string
  calls: number
  traces: number
  users: number
  p50DurationMs: number | null
  p95DurationMs: number | null
  measures: Record<'cost' | 'durationMs' | 'errorRate' | 'tokens', UserSums>
}

/** The scores with one name of a version's calls, and of traces that used no other version. */
export type VersionScore = { version: string; name: string; isBoolean: boolean; sums: UserSums }

/**
 * Values of calls, summed by user, for computing a mean and its variance when the calls of one user are not
 * independent. A trace without a user counts as its own user.
 */
export type UserSums = {
  users: number
  /** The number of calls with a value. */
  count: number
  sum: number
  /** Variances over the users, of the number of values per user and of their sum; null for a single user. */
  countVariance: number | null
  sumVariance: number | null
  covariance: number | null
}

/** A range of starts, and the rate at which the evaluator judges now. */
export type SamplingQuery = { readonly fromUs: bigint; readonly toUs: bigint; readonly ownRate: number }

/** Traces with the same sampling rule and rate. */
export type SamplingGroup = {
  rate: number | null
  /** As in `TraceRow`. */
  sampledBy: string | null
  eligible: number
  drawn: number
}

/** A stored score that may have an earlier revision. */
export type ScoreRevision = {
  readonly workspaceId: string
  readonly traceId: string
  readonly scoreId: string
  /** 0 if the score was given once. */
  readonly revision: number
}

/** Undefined leaves a field unchanged. */
export type ScoreChange = {
  readonly value?: ScoreRow['value'] | undefined
  readonly comment?: string | null | undefined
}

export type ScoreFilters = {
  traceId?: string | undefined
  /** Scores of any of these traces. */
  traceIds?: readonly string[] | undefined
  name?: string | undefined
  source?: string | undefined
  /** Inclusive, on the creation time, in milliseconds. */
  fromMs?: bigint | undefined
  /** Exclusive. */
  toMs?: bigint | undefined
}

/** Where a page of scores ended. */
export type ScorePosition = { createdAtMs: number; scoreId: string }

/** Where a page of a sorted list ended. The key is null if the value is unknown. */
export type SortedPosition = { key: bigint | null; startUs: bigint; traceId: string }

/** The OpenTelemetry trace whose spans to read. */
export type SpanQuery = {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
}

export type StoreCondition = TraceCondition & {
  /**
   * The condition applies to a log: such conditions on a prompt and its version must hold for the same log, and metrics
   * are those of the matching logs.
   */
  readonly isOfLog?: boolean
}

/** Where a page of groups ended: the sort key and the hash of the id. */
export type GroupPosition = { sortKey: bigint; groupKey: bigint }

/** Statistics of the traces of one session, user or organization; user and organization are those of the latest trace. */
export type TraceGroup = {
  id: string
  traces: number
  failed: number
  firstUs: bigint
  lastUs: bigint
  endUs: bigint
  cost: number | null
  tokens: number
  /** Whether the sums include tokens that we counted. */
  tokensEstimated: boolean
  /** Only for users and organizations. */
  sessions?: number
  /** Only for organizations. */
  users?: number
  userId: string | null
  userName: string | null
  organizationId: string | null
  organizationName: string | null
}

/** Input and output of a trace as JSON, cut off if shortened. */
export type TurnTexts = { input: string | null; output: string | null; isShortened: boolean }

/** The primary key of a trace's rows. */
export type TraceKey = { readonly workspaceId: string; readonly traceId: string; readonly startUs: bigint }

/** An end user of an application, or an organization of end users, with all of its ids. */
export type DataSubject = { readonly type: 'user' | 'organization'; readonly ids: readonly string[] }

/** Any of these values, or any value except these, including none. */
export type ValueChoice = { readonly values: readonly string[]; readonly isExcept: boolean }

export type TraceSelection = {
  readonly workspaceId: string
  /** Later arrivals are not part of the selection, in milliseconds. */
  readonly untilMs: number
} & (
  | { readonly type: 'ids'; readonly traceIds: readonly string[] }
  | { readonly type: 'filters'; readonly filters: TraceFilters }
  /** Traces of the chosen features and environments. */
  | { readonly type: 'origin'; readonly features: ValueChoice; readonly environments: ValueChoice }
  /** Traces that name the subject. */
  | { readonly type: 'subject'; readonly subject: DataSubject }
  /** Traces that name no user, in sessions whose only user is this one. */
  | { readonly type: 'sessions'; readonly userIds: readonly string[] }
  /** Traces of experiment cases over these dataset rows, except those that name the subject. */
  | { readonly type: 'rows'; readonly rowIds: readonly string[]; readonly subject: DataSubject }
)

export type SelectionCounts = { traces: number; logs: number; scores: number }

export type SubjectRows = {
  /** Rows of the subject, including deleted ones that are still on disk. */
  traces: number
  logs: number
  scores: number
  spans: number
  /** Traces of others whose texts contain the id as a word or phrase. */
  mentions: number
}
