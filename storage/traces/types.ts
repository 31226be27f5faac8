/** The data that the trace store takes and gives. Imports rows only, so that every question can import it. */
import type { TraceCondition } from '@plumbline/contract'
import type { LogRow, ScoreRow, TraceRow, TraceSummary } from './rows/row-types.ts'

/** Lines as the encoders of `rows.ts` make them; any of it may be empty. */
export type InsertBatch = {
  /** The same bytes under the same token are stored once, however often they come. */
  token: string
  /** Blocks as `rows.ts` encodes them; empty where there are no rows. */
  traces: Buffer
  logs: Buffer
  scores: Buffer
  /** OpenTelemetry spans to assemble. */
  spans?: Buffer
  /** The numbers of shards of which the rows are left out. */
  withoutShards?: ReadonlySet<number>
}

export type Table = 'traces' | 'logs' | 'scores' | 'spans'

/** A row that the engine rejects permanently. `row` counts from 0 in its block. */
export type RejectedRow = { table: Table; row: number; error: string }

export type InsertResult = { rejectedRows: RejectedRow[] }

/** What tells a score from others. */
export type StoredScore = Pick<
  ScoreRow,
  'scoreId' | 'traceId' | 'logId' | 'name' | 'value' | 'createdAtMs' | 'source'
>

/** A trace with its logs and scores. */
export type StoredTrace = { trace: TraceRow; logs: LogRow[]; scores: ScoreRow[] }

/** A trace as a walk reads it, with the revision of its logs. */
export type WalkedTrace = StoredTrace & { readonly revision: string }

/** A trace with its scores, and with its logs only if they are few. */
export type TraceHead = {
  trace: TraceRow
  scores: ScoreRow[]
  /** Undefined if there are more than the reader takes. */
  logs: LogRow[] | undefined
  /** Generations in the sums without a cost, and with tokens that were counted here. */
  incompleteness: { unpriced: number; estimated: number }
}

/** What a tree shows of a log. */
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
  /** In lower case; a log has each of them in its texts. */
  words: readonly string[]
  /** Whether to read how costs were estimated. */
  hasCostDetail: boolean
  limit: number
  /** The position of the last log of the page before. */
  after: number | undefined
}

/** Where a page of a list ended; opaque to callers, who pass it back as it is. */
export type Position = { startUs: bigint; traceId: string }

export type TraceFilters = {
  /** All of these must hold. */
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

/** What a live rule is about: traces that match, or their logs of a type. */
export type LiveSelection = { readonly filters: TraceFilters; readonly logType?: string | undefined }

/** A trace, or one of its logs. */
export type LiveMatch = { traceId: string; logId: string | undefined; digest: string }

/** What a session has come to. */
export type SessionEnd = {
  /** Its last trace, by the start. */
  traceId: string
  /** When the latest of its traces arrived. */
  receivedAt: Date
  /** Follows from its traces and their texts. */
  digest: string
}

export type LiveSums = { matching: number; judged: number }

/** One of several traces that were cut from one OpenTelemetry trace. */
export type LinkedTrace = { traceId: string; name: string }

/** A page of a list, newest start first. */
export interface PageQuery {
  readonly limit: number
  readonly before?: Position | undefined
  /** A statement that returns more bytes fails as too large. */
  readonly bytesMax?: number | undefined
  /** A search that reads texts stops after so many traces, although the page is not full; by default it goes on. */
  readonly tracesToSearch?: number
  /** How many traces a search goes through at first, at least; each further slice has several times as many. */
  readonly firstSlice?: number
}

export type TracePage = {
  traces: TraceSummary[]
  next?: Position
  /** Present if a search stopped before the page was full: the start of the earliest traces that it went through. */
  searchedFromUs?: bigint
}

/** A count of a sample, with half the width of its 95 % confidence interval. */
export interface Estimate {
  readonly count: number
  readonly marginOfError: number
}

export interface FacetQuery {
  readonly fields: readonly string[]
  /** Only values that begin with it, or whose name contains it. */
  readonly prefix?: string | undefined
  /** Of each field. */
  readonly limit: number
  readonly sampleSize?: SampleSize
}

export interface SampleSize {
  /** About how many traces a sample has. */
  readonly traces: number
  /** A list of no more traces is counted as a whole. */
  readonly listMax: number
  /** The same where a search reads the texts of each trace. */
  readonly listMaxWithTexts: number
}

/** The values of fields among the traces of a list. */
export interface Facets {
  readonly facets: Facet[]
  /** Present if the counts are estimates: how many traces were counted, and of how many. */
  readonly sample?: { readonly traces: number; readonly total: number }
}

/** Values of a field, the most frequent first. */
export type Facet = {
  field: string
  values: { value: string; label?: string; count: number; marginOfError?: number }[]
}

export type HistogramBucket = { startUs: bigint; traces: number; failed: number; cost: number | null }

/** The times that the first and the last bucket of a histogram have to cover. */
export type HistogramRange = { readonly firstUs: bigint; readonly lastUs: bigint }

export type HistogramOptions = {
  readonly chooseWidth: (range: HistogramRange) => bigint
  /** Whether traces that start after the end of the filters count in the last bucket. */
  readonly includesLater?: boolean
  /** Whose clocks say when buckets begin; UTC when absent. */
  readonly timeZone?: string | undefined
}

export type Histogram = {
  readonly range: HistogramRange
  readonly widthUs: bigint
  /** Those that have traces. */
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

/** A part that is missing from what is read, because the disk has damaged it. */
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
  /** Missing from what is read, after this check. */
  readonly missingParts: readonly DamagedPart[]
}

/** How to sample the traces that match the filters. */
export type SampleOptions = {
  readonly limit: number
  /** Samples uniformly at random, and the same traces for the same seed; the latest traces if absent. */
  readonly seed?: string | undefined
  /** Only traces of this fraction; a trace belongs to it or not by its id and the seed alone. */
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

/** Which logs count: those of a prompt, in traces that began in a stretch of time. */
export type PromptUse = {
  readonly slug: string
  /** Inclusive, on the start of the trace, in microseconds. */
  readonly fromUs: bigint
  /** Exclusive. */
  readonly toUs: bigint
}

/** What one API key recorded with one version; null where none could be told. */
export type VersionUse = {
  version: string
  apiKeyId: string | null
  traces: number
  firstUs: bigint
  lastUs: bigint
}

/** One version in numbers. */
export type VersionSums = {
  version: string
  calls: number
  traces: number
  users: number
  p50DurationMs: number | null
  p95DurationMs: number | null
  measures: Record<'cost' | 'durationMs' | 'errorRate' | 'tokens', UserSums>
}

/** The scores of one name of calls of a version, or the only version that a trace used. */
export type VersionScore = { version: string; name: string; isBoolean: boolean; sums: UserSums }

/**
 * Values of calls, summed by user. What a mean and its variance are made of where calls of one user are not independent;
 * a trace without a user is a user of its own.
 */
export type UserSums = {
  users: number
  /** Of all calls that have a value. */
  count: number
  sum: number
  /** Over the users, of how many values each has and of what they sum to; null for a single user. */
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
  /** 0 where it is given once. */
  readonly revision: number
}

/** Undefined leaves a field unchanged. */
export type ScoreChange = {
  readonly value?: ScoreRow['value'] | undefined
  readonly comment?: string | null | undefined
}

export type ScoreFilters = {
  traceId?: string | undefined
  /** Those of any of these. */
  traceIds?: readonly string[] | undefined
  name?: string | undefined
  source?: string | undefined
  /** Inclusive, on when it was made, in milliseconds. */
  fromMs?: bigint | undefined
  /** Exclusive. */
  toMs?: bigint | undefined
}

/** Where a page of scores ended. */
export type ScorePosition = { createdAtMs: number; scoreId: string }

/** Where a page of a sorted list ended. The key is null where the value is unknown. */
export type SortedPosition = { key: bigint | null; startUs: bigint; traceId: string }

/** The OpenTelemetry trace whose spans to read. */
export type SpanQuery = {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
}

export type StoreCondition = TraceCondition & {
  /**
   * It is about a log: conditions of this kind on one prompt and its version hold for the same log, and metrics are those
   * of the logs that match.
   */
  readonly isOfLog?: boolean
}

/** Where a page of groups ended: by what they are sorted, and the hash of the id. */
export type GroupPosition = { sortKey: bigint; groupKey: bigint }

/** Traces with one session, user or organization, in numbers; user and organization are those of the latest trace. */
export type TraceGroup = {
  id: string
  traces: number
  failed: number
  firstUs: bigint
  lastUs: bigint
  endUs: bigint
  cost: number | null
  tokens: number
  /** Whether the sums include a count of our own. */
  tokensEstimated: boolean
  /** Of users and organizations. */
  sessions?: number
  /** Of organizations. */
  users?: number
  userId: string | null
  userName: string | null
  organizationId: string | null
  organizationName: string | null
}

/** What a trace was asked and answered, as JSON; cut off where it is shortened. */
export type TurnTexts = { input: string | null; output: string | null; isShortened: boolean }

/** The primary key of a trace's rows. */
export type TraceKey = { readonly workspaceId: string; readonly traceId: string; readonly startUs: bigint }

/** An end user of an application, or an organization of end users, by every id that stands for it. */
export type DataSubject = { readonly type: 'user' | 'organization'; readonly ids: readonly string[] }

/** Any of some values; or any but these, and none. */
export type ValueChoice = { readonly values: readonly string[]; readonly isExcept: boolean }

export type TraceSelection = {
  readonly workspaceId: string
  /** What arrived later is not part of it, in milliseconds. */
  readonly untilMs: number
} & (
  | { readonly type: 'ids'; readonly traceIds: readonly string[] }
  | { readonly type: 'filters'; readonly filters: TraceFilters }
  /** Traces of some features and of some environments. */
  | { readonly type: 'origin'; readonly features: ValueChoice; readonly environments: ValueChoice }
  /** Traces that name the subject. */
  | { readonly type: 'subject'; readonly subject: DataSubject }
  /** Traces that name no user, of sessions in which the user is the only one. */
  | { readonly type: 'sessions'; readonly userIds: readonly string[] }
  /** Traces of cases over some rows of datasets, apart from those that name the subject. */
  | { readonly type: 'rows'; readonly rowIds: readonly string[]; readonly subject: DataSubject }
)

export type SelectionCounts = { traces: number; logs: number; scores: number }

export type SubjectRows = {
  /** Rows of the subject, those that are deleted and still on the disk included. */
  traces: number
  logs: number
  scores: number
  spans: number
  /** Traces of others whose texts have the id, as a word or a phrase. */
  mentions: number
}
