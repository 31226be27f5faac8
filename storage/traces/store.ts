import type { Dimension, Granularity, Measure } from '@plumbline/contract'
import type { Draw } from './draw.ts'
import type { ExperimentTrace, TraceTexts } from './experiment-traces.ts'
import type { Expiries } from './expire.ts'
import type { LogKey } from './find.ts'
import type { Joining } from './join-experiment.ts'
import type { GivenBy } from './judgements.ts'
import type { PromptUse, VersionScore, VersionSums, VersionUse } from './prompt-versions.ts'
import type { Replacement } from './replace.ts'
import type { LogRow, ScoreRow, TraceRow, TraceSummary } from './rows.ts'
import type { SamplingGroup } from './sampling.ts'
import type { GivenScore, ScoreFilters, ScorePosition } from './scores.ts'
import type { SortedPosition } from './sorted-list.ts'
import type { SpansOf } from './span-rows.ts'
import type { TraceCondition } from './where.ts'

/** NDJSON as the encoders of `rows.ts` make it; any of it may be empty. */
export type InsertBatch = {
  /** The same bytes under the same token are stored once, however often they come. */
  token: string
  traces: Buffer
  logs: Buffer
  scores: Buffer
  /** Of OpenTelemetry, to be assembled. */
  spans?: Buffer
}

export type Table = 'traces' | 'logs' | 'scores' | 'spans'

export type { Joining } from './join-experiment.ts'
export type { Replacement } from './replace.ts'
export type { SpansOf } from './span-rows.ts'
export type { TraceKey } from './trace-keys.ts'

/** A line the engine cannot take, whatever the state it is in. Lines count from 0 in their buffer. */
export type RefusedLine = { table: Table; line: number; error: string }

export type InsertResult = { refused: RefusedLine[] }

/** What the store holds of one trace. */
export type StoredTrace = { trace: TraceRow; logs: LogRow[]; scores: ScoreRow[] }

/** Where a page of a list ended; opaque to callers, who pass it back as it is. */
export type Position = { startUs: bigint; traceId: string }

export type TraceFilters = {
  featureSlug?: string
  experimentId?: string
  /** With `promptVersion`, one and the same log used that version of that prompt. */
  promptSlug?: string
  promptVersion?: string
  userId?: string
  organizationId?: string
  /** A log of this type is among the trace's. */
  type?: string
  name?: string
  model?: string
  hasError?: boolean
  /** Whether it was drawn to be judged. */
  sampled?: boolean
  minCost?: number
  minDurationMs?: number
  /** Inclusive, on the start, in microseconds. */
  fromUs?: bigint
  /** Exclusive, on the start, in microseconds. */
  toUs?: bigint
  /** Literal top-level keys. */
  metadata?: Readonly<Record<string, string>>
  provider?: string
  sessionId?: string
  maxCost?: number
  maxDurationMs?: number
  minTokens?: number
  maxTokens?: number
  /** Inclusive, on the arrival, in milliseconds. */
  receivedFromMs?: bigint
  /** Further conditions, all of which hold. */
  where?: readonly TraceCondition[]
  /** Words or a phrase, somewhere in the trace or one of its logs. */
  q?: string
}

export type TracePage = { traces: TraceSummary[]; next?: Position }

export type TraceSort = 'start' | 'received' | 'duration' | 'cost' | 'tokens' | 'errors'

/** Values of a field, the most frequent first. */
export type Facet = { field: string; values: { value: string; count: number }[] }

export type HistogramBucket = { startUs: bigint; traces: number; failed: number; cost: number | null }

/** Where a value stands among others: `rank` is the share of them that are no larger. */
export type TraceRank = {
  value: number | null
  rank: number | null
  p50: number | null
  p95: number | null
  p99: number | null
}

export type MetricsFilters = Omit<TraceFilters, 'q' | 'fromUs' | 'toUs'>

/** What a dashboard asks; `metrics.ts` says what each measure means by which dimension. */
export type MetricsQuery = {
  measures: readonly Measure[]
  dimensions: readonly Dimension[]
  /** One row for each, in UTC, weeks from Monday; absent: one in all. */
  granularity?: Granularity
  /**
   * In place of a granularity: one row for each window of a width that has anything. They end at the multiples of a
   * step, lie within `fromUs` and `toUs`, which must be given, and may overlap; `time` is their end.
   */
  windows?: { readonly widthUs: bigint; readonly stepUs: bigint } | undefined
  filters: MetricsFilters
  /** Only scores of a name, or of an evaluator. Filters of logs then mean traces with such a log, for scores. */
  scores?: { readonly name?: string | undefined; readonly evaluatorSlug?: string | undefined } | undefined
  /** Inclusive, on the start of the trace, in microseconds. */
  fromUs?: bigint
  /** Exclusive. */
  toUs?: bigint
}

/** `time` if there is a granularity, each dimension (null: not set), each measure (null: nothing to tell it from). */
export type MetricsRow = Record<string, string | number | null>

export type StoreStatistics = {
  inserts: number
  rowsInserted: number
  refusedLines: number
  activeParts: number
  bytesOnDisk: number
}

/** One workspace's traces. There is no other way to read. */
export interface WorkspaceTraces {
  find(traceId: string): Promise<StoredTrace | undefined>
  /** Those of some traces that are there, by id. */
  findMany(traceIds: readonly string[]): Promise<Map<string, Omit<StoredTrace, 'scores'>>>
  /** Whether the trace is there, and the log in it if one is named. */
  exists(traceId: string, logId?: string): Promise<boolean>
  /** Our id of the trace that an OpenTelemetry trace became; of several, that of the first start. */
  idOf(otelTraceId: string): Promise<string | undefined>
  /** Newest start first. What arrives during a walk neither repeats nor hides others. */
  list(filters: TraceFilters, page: { limit: number; before?: Position }): Promise<TracePage>
  /** In another order; what is unknown comes below everything. */
  listSorted(
    filters: TraceFilters,
    page: { limit: number; sort: TraceSort; isAscending: boolean; before?: SortedPosition | undefined },
  ): Promise<{ traces: TraceSummary[]; next?: SortedPosition }>
  /** The most frequent values of fields among the traces that the filters leave. */
  facets(
    filters: TraceFilters,
    asked: { fields: readonly string[]; prefix?: string | undefined; limit: number },
  ): Promise<Facet[]>
  /** The first and the last start of the traces that the filters leave. */
  starts(filters: TraceFilters): Promise<{ firstUs: bigint; lastUs: bigint } | undefined>
  /** Counts for each stretch of time that has a trace. */
  histogram(filters: TraceFilters, widthUs: bigint): Promise<HistogramBucket[]>
  /** Where values stand among the traces that the filters leave. */
  rank(
    among: TraceFilters,
    values: Readonly<Record<'durationMs' | 'cost' | 'tokens', number | null>>,
  ): Promise<{ traces: number; ranks: Record<'durationMs' | 'cost' | 'tokens', TraceRank> }>
  /** Scores, those given last first. */
  scores(
    filters: ScoreFilters,
    page: { limit: number; before?: ScorePosition | undefined },
  ): Promise<{ scores: ScoreRow[]; next?: ScorePosition }>
  findScore(scoreId: string): Promise<ScoreRow | undefined>
  /** Ids of some of the traces that the filters leave. */
  draw(filters: TraceFilters, draw: Draw): Promise<string[]>
  /** Scores that people gave to some traces and their logs by these evaluators. */
  judgementsOf(traceIds: readonly string[], evaluatorSlugs: readonly string[]): Promise<ScoreRow[]>
  /** Names of scores that people and applications gave where an evaluator gave one too, with how often. */
  namesInCommon(given: GivenBy): Promise<{ name: string; count: number }[]>
  /** What an evaluator gave where people gave a score of a name, and theirs. */
  judgedByBoth(given: GivenBy, name: string): Promise<{ verdicts: ScoreRow[]; human: ScoreRow[] }>
  /** Writes the value and the comment of a score that is there. */
  changeScore(score: ScoreRow): Promise<void>
  deleteScore(scoreId: string): Promise<void>
  /** What the traces of experiments are compared by, the latest first, up to so many of each. */
  ofExperiments(experimentIds: readonly string[], limit: number): Promise<ExperimentTrace[]>
  /** Which API key recorded traces with which version of a prompt. */
  versionUses(use: PromptUse): Promise<VersionUse[]>
  /** Versions of a prompt in numbers. */
  versionSums(use: PromptUse, versions: readonly string[]): Promise<VersionSums[]>
  /** Scores that versions of a prompt were given. */
  versionScores(use: PromptUse, versions: readonly string[]): Promise<VersionScore[]>
  /** How the texts of traces begin, by id. */
  texts(
    traces: readonly { traceId: string; startUs: bigint }[],
    characters: number,
  ): Promise<Map<string, TraceTexts>>
  /** Whole traces, newest start first, of which only a page is in memory at a time. */
  walk(filters: TraceFilters): AsyncIterable<StoredTrace>
  /** The OpenTelemetry traces that some traces were made of, by our id. */
  otelIdsOf(traceIds: readonly string[]): Promise<Map<string, string>>
  /** Those of the ids that are there. */
  existing(traceIds: readonly string[]): Promise<Set<string>>
  /** Those of the logs that are there. */
  existingLogs(logs: readonly LogKey[]): Promise<LogKey[]>
  /** What was drawn of the traces that refer to an evaluator, by what decided. */
  sampling(slug: string, since: { readonly fromUs: bigint; readonly toUs: bigint }): Promise<SamplingGroup[]>
  /** How many scores each version of an evaluator has given. */
  scoresByVersion(slug: string): Promise<Map<number, number>>
  /** Sums and averages, by time and dimensions. */
  measure(query: MetricsQuery): Promise<MetricsRow[]>
}

/** Where traces, logs and scores lie. */
export interface TraceStore {
  /** Resolves once everything is durable; rejects with `TraceStoreAway` if trying again later can help. */
  insert(batch: InsertBatch): Promise<InsertResult>
  /** Puts assembled traces in the place of what is stored of them; the same revision may be stored again and again. */
  replace(replacement: Replacement): Promise<InsertResult>
  /** Lets stored traces join an experiment; what happens twice under one token changes nothing more. */
  joinExperiment(joining: Joining): Promise<void>
  /** Every span of some OpenTelemetry traces, as `span-rows.ts` says. */
  readSpans(asked: readonly SpansOf[]): Promise<string>
  /** Those of the scores that are stored. */
  storedScores(scores: readonly { traceId: string; workspaceId: string }[]): Promise<Set<string>>
  /** Of scores that were given again, deletes what was given before; what happens twice deletes nothing more. */
  keepLastScores(scores: readonly GivenScore[]): Promise<void>
  scopedTo(workspaceId: string): WorkspaceTraces
  /** Deletes what has expired; a workspace that is not named keeps all. */
  expire(expiries: Expiries): Promise<void>
  /** Deletes everything of a workspace. */
  deleteWorkspace(workspaceId: string): Promise<void>
  ping(): Promise<boolean>
  /** Gives memory back to the machine after a burst; only an embedded engine holds any of ours. */
  rest(): Promise<void>
  statistics(): Promise<StoreStatistics>
  /** Copies an embedded store to a folder, while writes wait; false if the store is not embedded. */
  snapshot(target: string): Promise<boolean>
  close(): Promise<void>
}
