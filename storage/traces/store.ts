/** The interface of the trace store. */
import type { ChangeMeasure, GroupSort, TraceSort } from '@plumbline/contract'
import type { CompletedReplacements } from './engine/replacements.ts'
import type {
  ChangeSums,
  ChangeWindows,
  MetricsFilters,
  MetricsQuery,
  MetricsRow,
} from './metrics/metric-types.ts'
import type { GroupBy } from './read/trace-groups.ts'
import type { LogRow, ScoreRow, TraceSummary } from './rows/row-types.ts'
import type {
  DamagedPart,
  DataSubject,
  EvaluatorScoresQuery,
  ExperimentTrace,
  FacetQuery,
  Facets,
  GroupPosition,
  Histogram,
  HistogramOptions,
  InsertBatch,
  InsertCounts,
  InsertResult,
  LinkedTrace,
  LiveMatch,
  LiveSelection,
  LiveSums,
  LogKey,
  LogOutline,
  LogQuery,
  PageQuery,
  PartCheck,
  PromptUse,
  SampleOptions,
  SamplingGroup,
  SamplingQuery,
  ScoreChange,
  ScoreFilters,
  ScorePosition,
  ScoreRevision,
  SelectionCounts,
  SessionEnd,
  SortedPosition,
  SpanQuery,
  StoredScore,
  StoredTrace,
  StoreStatistics,
  SubjectRows,
  TraceFilters,
  TraceGroup,
  TraceHead,
  TracePage,
  TraceRank,
  TraceSelection,
  TraceTexts,
  TurnTexts,
  VersionScore,
  VersionSums,
  VersionUse,
  WalkedTrace,
} from './types.ts'
import type {
  CostChanges,
  DeletionSlice,
  DoomedTrace,
  ExperimentJoin,
  Expiries,
  Partitions,
  PurgeStep,
  Replacement,
  SlicePage,
  SliceToDelete,
} from './write/write-types.ts'
/** One workspace's traces. There is no other way to read. */
export interface WorkspaceTraces {
  find(traceId: string): Promise<StoredTrace | undefined>
  /** A trace with its scores, and with its logs if there are at most `logsMax`. */
  findHead(traceId: string, logsMax: number): Promise<TraceHead | undefined>
  /** A page of the logs as shown in a tree, in the order they were sent; undefined if the trace does not exist. */
  outlineLogs(traceId: string, query: LogQuery): Promise<LogOutline[] | undefined>
  /** One log of a trace; undefined if it does not exist. */
  findLog(traceId: string, logId: string): Promise<LogRow | undefined>
  /** The scores of a trace, even if the trace itself is not stored yet. */
  scoresOf(traceId: string): Promise<ScoreRow[]>
  /** The existing traces, by id. */
  findMany(traceIds: readonly string[]): Promise<Map<string, Omit<StoredTrace, 'scores'>>>
  /** Whether the trace exists, and the log in it if given. */
  exists(traceId: string, logId?: string): Promise<boolean>
  /** Our id of the trace assembled from an OpenTelemetry trace; if there are several, the one that started first. */
  idOf(otelTraceId: string): Promise<string | undefined>
  /** Newest start first. Arrivals while paging neither repeat nor hide other traces. */
  list(filters: TraceFilters, page: PageQuery): Promise<TracePage>
  /** In another order; unknown values sort lowest. */
  listSorted(
    filters: TraceFilters,
    page: { limit: number; sort: TraceSort; isAscending: boolean; before?: SortedPosition | undefined },
  ): Promise<{ traces: TraceSummary[]; next?: SortedPosition }>
  /** The beginning of the error of the first failed log of each trace, as JSON, by the trace's id. */
  firstErrors(traces: readonly { traceId: string; startUs: bigint }[]): Promise<Map<string, string>>
  /** A page of sessions, users or organizations with the sums of their traces. */
  groups(
    groupBy: GroupBy,
    filters: TraceFilters,
    page: { limit: number; sort: GroupSort; isAscending: boolean; before?: GroupPosition | undefined },
  ): Promise<{ groups: TraceGroup[]; next?: GroupPosition }>
  /** Counts and means of the scores of groups, by name. */
  scoresOfGroups(
    groupBy: GroupBy,
    filters: TraceFilters,
    ids: readonly string[],
  ): Promise<Map<string, { name: string; count: number; mean: number | null }[]>>
  /**
   * The beginning of the first input and the last output of sessions; passing the `starts` of their first and last
   * traces saves work.
   */
  conversationEnds(
    ids: readonly string[],
    starts?: readonly bigint[],
  ): Promise<Map<string, { firstInput: string | null; lastOutput: string | null }>>
  /** Input and output of traces, each up to a number of characters. */
  turnTexts(
    traces: readonly { traceId: string; startUs: bigint }[],
    charactersMax: number,
  ): Promise<Map<string, TurnTexts>>
  /** The most frequent values of fields among the matching traces. */
  facets(filters: TraceFilters, options: FacetQuery): Promise<Facets>
  /** Counts for each non-empty bucket of time; undefined if neither the filters nor traces bound the time. */
  histogram(filters: TraceFilters, options: HistogramOptions): Promise<Histogram | undefined>
  /** Ranks of values among the matching traces. */
  rank(
    filters: TraceFilters,
    values: Readonly<Record<'durationMs' | 'cost' | 'tokens', number | null>>,
  ): Promise<{ traces: number; ranks: Record<'durationMs' | 'cost' | 'tokens', TraceRank> }>
  /** Scores, latest first. */
  scores(
    filters: ScoreFilters,
    page: { limit: number; before?: ScorePosition | undefined },
  ): Promise<{ scores: ScoreRow[]; next?: ScorePosition }>
  findScore(scoreId: string): Promise<ScoreRow | undefined>
  /** Which of the given traces, or of their logs, a live rule applies to. */
  liveMatches(traceIds: readonly string[], selection: LiveSelection): Promise<LiveMatch[]>
  /** How many traces match a live rule, and how many of them, or of their logs, a rate would choose. */
  liveSums(selection: LiveSelection, rate: number): Promise<LiveSums>
  /** The sessions of the given traces that match. */
  liveSessions(traceIds: readonly string[], filters: TraceFilters): Promise<string[]>
  /** How many traces match, and how often the sampled sessions among them were quiet. */
  liveSessionSums(
    filters: TraceFilters,
    options: { readonly rate: number; readonly quietMs: number },
  ): Promise<LiveSums>
  /** The latest state of a session; undefined if none of its traces is stored. */
  sessionEnd(sessionId: string): Promise<SessionEnd | undefined>
  /** Ids of a sample of the matching traces. */
  sample(filters: TraceFilters, options: SampleOptions): Promise<string[]>
  /** Human scores of some traces and their logs for these evaluators. */
  humanScoresOf(traceIds: readonly string[], evaluatorSlugs: readonly string[]): Promise<ScoreRow[]>
  /** Names of scores that people and applications gave to targets that the evaluator also judged, with counts. */
  commonScoreNames(query: EvaluatorScoresQuery): Promise<{ name: string; count: number }[]>
  /** Scores of an evaluator and of people on the same targets, for one score name. */
  comparableScores(
    query: EvaluatorScoresQuery,
    name: string,
  ): Promise<{ verdicts: ScoreRow[]; human: ScoreRow[] }>
  /** Changes the value and comment of an existing score. */
  changeScore(scoreId: string, change: ScoreChange): Promise<void>
  deleteScore(scoreId: string): Promise<void>
  /** The compared values of experiments' traces, latest first, up to `limit` of each experiment. */
  ofExperiments(experimentIds: readonly string[], limit: number): Promise<ExperimentTrace[]>
  /** Which API key recorded traces with which version of a prompt. */
  versionUses(use: PromptUse): Promise<VersionUse[]>
  /** Statistics of versions of a prompt. */
  versionSums(use: PromptUse, versions: readonly string[]): Promise<VersionSums[]>
  /** Scores of versions of a prompt. */
  versionScores(use: PromptUse, versions: readonly string[]): Promise<VersionScore[]>
  /** The beginnings of the texts of traces, by id. */
  texts(
    traces: readonly { traceId: string; startUs: bigint }[],
    characters: number,
  ): Promise<Map<string, TraceTexts>>
  /** Complete traces, newest start first, with one page in memory at a time. */
  walk(filters: TraceFilters): AsyncIterable<WalkedTrace>
  /** The traces that one OpenTelemetry trace was split into. */
  linkedTraces(otelTraceId: string): Promise<LinkedTrace[]>
  /** Maps our ids to those of the OpenTelemetry traces they were assembled from. */
  otelIdsOf(traceIds: readonly string[]): Promise<Map<string, string>>
  /** The ids that exist. */
  existing(traceIds: readonly string[]): Promise<Set<string>>
  /** The logs that exist. */
  existingLogs(logs: readonly LogKey[]): Promise<LogKey[]>
  /** Sampling statistics of an evaluator's traces, by sampling rule. */
  sampling(slug: string, query: SamplingQuery): Promise<SamplingGroup[]>
  /** Counts of scores by evaluator version. */
  scoresByVersion(slug: string): Promise<Map<number, number>>
  /** Sums and averages, by time and dimensions. */
  measure(query: MetricsQuery): Promise<MetricsRow[]>
  /** The components of a measure's change between two windows, by value of each dimension. */
  changeSums(measure: ChangeMeasure, windows: ChangeWindows, filters: MetricsFilters): Promise<ChangeSums[]>
}

/** The store of traces, logs and scores. */
export interface TraceStore {
  /**
   * Resolves once everything is durable; rejects with `TraceStoreUnavailable` if a retry may succeed, and with
   * `TraceStoreNewer` if a newer version has changed the tables.
   */
  insert(batch: InsertBatch): Promise<InsertResult>
  /** Rejects with `TraceStoreNewer` if a newer version has migrated the store since it was opened. */
  refuseNewer(): Promise<void>
  /** Replaces stored traces with assembled ones; idempotent per revision. */
  replace(replacement: Replacement): Promise<InsertResult>
  /** Notes which replacements are complete on all nodes: queries must leave out replaced rows of the others. */
  noteReplacements(replacements: CompletedReplacements): void
  /** Adds stored traces to an experiment; idempotent per token. */
  joinExperiment(join: ExperimentJoin): Promise<void>
  /** Stores changed costs of recorded generations; idempotent per token. */
  changeCosts(changes: CostChanges): Promise<void>
  /** Every span of some OpenTelemetry traces, in the format of `span-rows.ts`. */
  readSpans(traces: readonly SpanQuery[]): Promise<string>
  /** The stored scores of some traces. */
  storedScores(scores: readonly { traceId: string; workspaceId: string }[]): Promise<StoredScore[]>
  /** Deletes earlier revisions of scores; idempotent. */
  keepLatestScores(scores: readonly ScoreRevision[]): Promise<void>
  scopedTo(workspaceId: string): WorkspaceTraces
  /** The next matching traces after a position, in the order of the primary key. */
  nextTraces(selection: TraceSelection, page: SlicePage): Promise<DoomedTrace[]>
  /** The next traces to delete, with the rows that go with them; undefined if none is left. */
  planSlice(selection: TraceSelection, page: SlicePage): Promise<DeletionSlice | undefined>
  /**
   * Deletes the traces of a planned slice with their logs, scores and spans; idempotent per token. Resolves with the
   * time spent waiting for inserts.
   */
  deleteSlice(workspaceId: string, slice: SliceToDelete): Promise<{ readonly waitedMs: number }>
  /** Deletes spans of some OpenTelemetry traces. */
  deleteSpans(workspaceId: string, otelTraceIds: readonly string[]): Promise<void>
  /** Deletes some of the scores that an end user gave. */
  deleteScoresOfUser(
    workspaceId: string,
    options: { readonly userIds: readonly string[]; readonly untilMs: number; readonly limit: number },
  ): Promise<{ scores: number; partitions: Partitions }>
  /** Which of the given traces, by our id or their OpenTelemetry id, are part of a selection. */
  matchingIds(selection: TraceSelection, traceIds: readonly string[]): Promise<Set<string>>
  /** How many scores an end user gave up to a given time. */
  countScoresOfUser(
    workspaceId: string,
    options: { readonly userIds: readonly string[]; readonly untilMs: number },
  ): Promise<number>
  /** How many rows a deletion would delete. */
  countSelection(selection: TraceSelection): Promise<SelectionCounts>
  /** How many rows name a subject, including deleted ones that are still on disk. */
  subjectRows(workspaceId: string, subject: DataSubject, untilMs: number): Promise<SubjectRows>
  /** Starts removing the deleted rows of some partitions from disk, in the background. */
  beginPurge(partitions: Partitions, step: PurgeStep): Promise<void>
  /** Whether the engine is still removing rows. */
  isPurging(): Promise<boolean>
  /** How many parts replaced before a given time are still on disk. With an embedded engine, removes them first. */
  removeOldParts(replacedBefore: Date): Promise<number>
  /** The time by the engine's clock. */
  engineTime(): Promise<Date>
  /** Partitions with many deleted rows. */
  sparsePartitions(): Promise<Partitions>
  /** Drops months in which all rows have expired; workspaces not in the map keep everything. */
  dropExpiredMonths(expiries: Expiries): Promise<void>
  /** Deletes all rows of a workspace. */
  deleteWorkspace(workspaceId: string): Promise<void>
  /** Damaged parts that are missing from query results, as far as this process knows. */
  damagedParts(): readonly DamagedPart[]
  /** Reads them from the engine. */
  refreshDamagedParts(): Promise<readonly DamagedPart[]>
  /** Compares every part with its checksums; with `isRepair`, sets damaged ones aside. */
  checkParts(options: { readonly isRepair: boolean }): Promise<PartCheck>
  /** The number of the shard of a workspace, from 1. */
  shardOf(workspaceId: string): number
  /** Checks whether each shard responds, in shard order; a store without shards has one entry. */
  readonly pings: readonly (() => Promise<boolean>)[]
  /** Returns memory to the operating system after a burst; only an embedded engine uses the memory of this process. */
  releaseMemory(): Promise<void>
  /**
   * Makes merges wait for many parts during a burst: each row is merged less often, and inserts get the cores. Only for
   * an embedded engine.
   */
  deferMerges(isDeferred: boolean): Promise<void>
  /** What this process has inserted. */
  counts(): InsertCounts
  /** The active parts, and their size. */
  statistics(): Promise<StoreStatistics>
  /** Copies an embedded store to a folder while writes are paused; false if the store is not embedded. */
  snapshot(target: string): Promise<boolean>
  close(): Promise<void>
}
