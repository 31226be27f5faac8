import type { Dimension, Granularity, Measure, TraceSort } from '@plumbline/contract'
import type { ExperimentTrace, TraceTexts } from './experiment-traces.ts'
import type { Expiries } from './expire.ts'
import type { LogKey } from './find.ts'
import type { EvaluatorScoresQuery } from './human-scores.ts'
import type { ExperimentJoin } from './join-experiment.ts'
import type { PromptUse, VersionScore, VersionSums, VersionUse } from './prompt-versions.ts'
import type { Replacement } from './replace.ts'
import type { LogRow, ScoreRow, TraceRow, TraceSummary } from './rows.ts'
import type { SampleOptions } from './sample.ts'
import type { SamplingGroup } from './sampling.ts'
import type { ScoreFilters, ScorePosition, ScoreRevision } from './scores.ts'
import type { SortedPosition } from './sorted-list.ts'
import type { SpanQuery } from './span-rows.ts'
import type { StoreCondition } from './where.ts'

/** NDJSON as the encoders of `rows.ts` make it; any of it may be empty. */
export type InsertBatch = {
  /** The same bytes under the same token are stored once, however often they come. */
  token: string
  traces: Buffer
  logs: Buffer
  scores: Buffer
  /** OpenTelemetry spans to assemble. */
  spans?: Buffer
}

export type Table = 'traces' | 'logs' | 'scores' | 'spans'

export type { ExperimentJoin } from './join-experiment.ts'
export type { Replacement } from './replace.ts'
export type { SpanQuery } from './span-rows.ts'
export type { TraceKey } from './trace-keys.ts'

/** A line that the engine rejects permanently. `line` counts from 0 in its buffer. */
export type RejectedLine = { table: Table; line: number; error: string }

export type InsertResult = { rejected: RejectedLine[] }

/** A trace with its logs and scores. */
export type StoredTrace = { trace: TraceRow; logs: LogRow[]; scores: ScoreRow[] }

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

export type TracePage = { traces: TraceSummary[]; next?: Position }

/** Values of a field, the most frequent first. */
export type Facet = { field: string; values: { value: string; count: number }[] }

export type HistogramBucket = { startUs: bigint; traces: number; failed: number; cost: number | null }

/** The rank of a value among others: `rank` is the fraction of them that are no larger. */
export type TraceRank = {
  value: number | null
  rank: number | null
  p50: number | null
  p95: number | null
  p99: number | null
}

export type MetricsFilters = Omit<TraceFilters, 'q' | 'fromUs' | 'toUs'>

/** A metrics query; `metrics.ts` defines each measure by dimension. */
export type MetricsQuery = {
  measures: readonly Measure[]
  dimensions: readonly Dimension[]
  /** One row for each, in UTC, weeks from Monday; absent: one in all. */
  granularity?: Granularity
  /**
   * Instead of a granularity: one row for each non-empty window of a width. Windows end at multiples of the step, lie
   * within `fromUs` and `toUs`, which are required, and may overlap; `time` is their end.
   */
  windows?: { readonly widthUs: bigint; readonly stepUs: bigint } | undefined
  filters: MetricsFilters
  /** Only scores of a name or an evaluator. Log filters then select, for scores, the traces with such a log. */
  scores?: { readonly name?: string | undefined; readonly evaluatorSlug?: string | undefined } | undefined
  /** Inclusive, on the start of the trace, in microseconds. */
  fromUs?: bigint
  /** Exclusive. */
  toUs?: bigint
}

/** `time` if there is a granularity, each dimension (null: not set), each measure (null: no data). */
export type MetricsRow = Record<string, string | number | null>

export type StoreStatistics = {
  inserts: number
  rowsInserted: number
  rejectedLines: number
  activeParts: number
  bytesOnDisk: number
}

/** One workspace's traces. There is no other way to read. */
export interface WorkspaceTraces {
  find(traceId: string): Promise<StoredTrace | undefined>
  /** The traces that exist, by id. */
  findMany(traceIds: readonly string[]): Promise<Map<string, Omit<StoredTrace, 'scores'>>>
  /** Whether the trace exists, and the log in it if given. */
  exists(traceId: string, logId?: string): Promise<boolean>
  /** Our id of the trace assembled from an OpenTelemetry trace; of several, the one that started first. */
  idOf(otelTraceId: string): Promise<string | undefined>
  /** Newest start first. Arrivals while paging neither repeat nor hide others. */
  list(filters: TraceFilters, page: { limit: number; before?: Position }): Promise<TracePage>
  /** In another order; unknown values sort lowest. */
  listSorted(
    filters: TraceFilters,
    page: { limit: number; sort: TraceSort; isAscending: boolean; before?: SortedPosition | undefined },
  ): Promise<{ traces: TraceSummary[]; next?: SortedPosition }>
  /** The most frequent values of fields among the matching traces. */
  facets(
    filters: TraceFilters,
    options: { fields: readonly string[]; prefix?: string | undefined; limit: number },
  ): Promise<Facet[]>
  /** The first and last start of the matching traces. */
  starts(filters: TraceFilters): Promise<{ firstUs: bigint; lastUs: bigint } | undefined>
  /** Counts for each non-empty bucket of time. */
  histogram(filters: TraceFilters, widthUs: bigint): Promise<HistogramBucket[]>
  /** Ranks of values among the matching traces. */
  rank(
    among: TraceFilters,
    values: Readonly<Record<'durationMs' | 'cost' | 'tokens', number | null>>,
  ): Promise<{ traces: number; ranks: Record<'durationMs' | 'cost' | 'tokens', TraceRank> }>
  /** Scores, latest first. */
  scores(
    filters: ScoreFilters,
    page: { limit: number; before?: ScorePosition | undefined },
  ): Promise<{ scores: ScoreRow[]; next?: ScorePosition }>
  findScore(scoreId: string): Promise<ScoreRow | undefined>
  /** Ids of a sample of the matching traces. */
  sample(filters: TraceFilters, options: SampleOptions): Promise<string[]>
  /** Human scores of some traces and their logs for these evaluators. */
  humanScoresOf(traceIds: readonly string[], evaluatorSlugs: readonly string[]): Promise<ScoreRow[]>
  /** Names of scores by people and applications on targets that the evaluator judged too, with counts. */
  commonScoreNames(query: EvaluatorScoresQuery): Promise<{ name: string; count: number }[]>
  /** Scores of an evaluator and of people on the same targets, for one score name. */
  comparableScores(
    query: EvaluatorScoresQuery,
    name: string,
  ): Promise<{ verdicts: ScoreRow[]; human: ScoreRow[] }>
  /** Changes the value and comment of an existing score. */
  changeScore(score: ScoreRow): Promise<void>
  deleteScore(scoreId: string): Promise<void>
  /** The compared values of experiments' traces, latest first, up to `limit` of each experiment. */
  ofExperiments(experimentIds: readonly string[], limit: number): Promise<ExperimentTrace[]>
  /** Which API key recorded traces with which version of a prompt. */
  versionUses(use: PromptUse): Promise<VersionUse[]>
  /** Versions of a prompt in numbers. */
  versionSums(use: PromptUse, versions: readonly string[]): Promise<VersionSums[]>
  /** Scores of versions of a prompt. */
  versionScores(use: PromptUse, versions: readonly string[]): Promise<VersionScore[]>
  /** The beginnings of the texts of traces, by id. */
  texts(
    traces: readonly { traceId: string; startUs: bigint }[],
    characters: number,
  ): Promise<Map<string, TraceTexts>>
  /** Complete traces, newest start first, with one page in memory at a time. */
  walk(filters: TraceFilters): AsyncIterable<StoredTrace>
  /** Maps our ids to those of the OpenTelemetry traces they were assembled from. */
  otelIdsOf(traceIds: readonly string[]): Promise<Map<string, string>>
  /** The ids that exist. */
  existing(traceIds: readonly string[]): Promise<Set<string>>
  /** The logs that exist. */
  existingLogs(logs: readonly LogKey[]): Promise<LogKey[]>
  /** Sampling statistics of an evaluator's traces, by sampling rule. */
  sampling(slug: string, since: { readonly fromUs: bigint; readonly toUs: bigint }): Promise<SamplingGroup[]>
  /** Counts of scores by evaluator version. */
  scoresByVersion(slug: string): Promise<Map<number, number>>
  /** Sums and averages, by time and dimensions. */
  measure(query: MetricsQuery): Promise<MetricsRow[]>
}

/** The store of traces, logs and scores. */
export interface TraceStore {
  /** Resolves once everything is durable; rejects with `TraceStoreUnavailable` if a retry may succeed. */
  insert(batch: InsertBatch): Promise<InsertResult>
  /** Replaces stored traces with assembled ones; idempotent per revision. */
  replace(replacement: Replacement): Promise<InsertResult>
  /** Adds stored traces to an experiment; idempotent per token. */
  joinExperiment(joining: ExperimentJoin): Promise<void>
  /** Every span of some OpenTelemetry traces, in the format of `span-rows.ts`. */
  readSpans(traces: readonly SpanQuery[]): Promise<string>
  /** Ids of the stored scores of some traces. */
  storedScores(scores: readonly { traceId: string; workspaceId: string }[]): Promise<Set<string>>
  /** Deletes earlier revisions of scores; idempotent. */
  keepLatestScores(scores: readonly ScoreRevision[]): Promise<void>
  scopedTo(workspaceId: string): WorkspaceTraces
  /** Deletes expired rows; workspaces not in the map keep everything. */
  expire(expiries: Expiries): Promise<void>
  /** Deletes everything of a workspace. */
  deleteWorkspace(workspaceId: string): Promise<void>
  ping(): Promise<boolean>
  /** Returns memory to the operating system after a burst; only an embedded engine uses ours. */
  releaseMemory(): Promise<void>
  statistics(): Promise<StoreStatistics>
  /** Copies an embedded store to a folder while writes are paused; false if the store is not embedded. */
  snapshot(target: string): Promise<boolean>
  close(): Promise<void>
}
