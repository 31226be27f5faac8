/** What the trace store can do. */
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
  /** A trace with its scores, and with its logs if they are at most so many. */
  findHead(traceId: string, logsMax: number): Promise<TraceHead | undefined>
  /** A page of what a tree shows of the logs, in the order they were sent; undefined without the trace. */
  outlineLogs(traceId: string, query: LogQuery): Promise<LogOutline[] | undefined>
  /** One log of a trace; undefined without it. */
  findLog(traceId: string, logId: string): Promise<LogRow | undefined>
  /** The scores of a trace, also if the trace itself is not stored yet. */
  scoresOf(traceId: string): Promise<ScoreRow[]>
  /** The traces that exist, by id. */
  findMany(traceIds: readonly string[]): Promise<Map<string, Omit<StoredTrace, 'scores'>>>
  /** Whether the trace exists, and the log in it if given. */
  exists(traceId: string, logId?: string): Promise<boolean>
  /** Our id of the trace assembled from an OpenTelemetry trace; of several, the one that started first. */
  idOf(otelTraceId: string): Promise<string | undefined>
  /** Newest start first. Arrivals while paging neither repeat nor hide others. */
  list(filters: TraceFilters, page: PageQuery): Promise<TracePage>
  /** In another order; unknown values sort lowest. */
  listSorted(
    filters: TraceFilters,
    page: { limit: number; sort: TraceSort; isAscending: boolean; before?: SortedPosition | undefined },
  ): Promise<{ traces: TraceSummary[]; next?: SortedPosition }>
  /** The beginning of the error of the first failed log of each trace, as JSON, by the trace's id. */
  firstErrors(traces: readonly { traceId: string; startUs: bigint }[]): Promise<Map<string, string>>
  /** A page of sessions, users or organizations with what their traces add up to. */
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
  /** The beginning of the first input and the last output of sessions; `starts` of their first and last traces save work. */
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
  /** Which of some traces, or of their logs, a live rule is about. */
  liveMatches(traceIds: readonly string[], selection: LiveSelection): Promise<LiveMatch[]>
  /** How many traces match a live rule, and how many of them, or of their logs, a rate would choose. */
  liveSums(selection: LiveSelection, rate: number): Promise<LiveSums>
  /** The sessions of those of some traces that match. */
  liveSessions(traceIds: readonly string[], filters: TraceFilters): Promise<string[]>
  /** How many traces match, and how often their sessions, of which a rate chooses, were quiet. */
  liveSessionSums(
    filters: TraceFilters,
    options: { readonly rate: number; readonly quietMs: number },
  ): Promise<LiveSums>
  /** Where a session is now; undefined if no trace of it is stored. */
  sessionEnd(sessionId: string): Promise<SessionEnd | undefined>
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
  changeScore(scoreId: string, change: ScoreChange): Promise<void>
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
  walk(filters: TraceFilters): AsyncIterable<WalkedTrace>
  /** The traces that were cut from one OpenTelemetry trace. */
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
  /** What the change of a measure between two windows is made of, by value of each dimension. */
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
  /** Tells which replacements are complete, on any node: sums look for rows of the others. */
  noteReplacements(replacements: CompletedReplacements): void
  /** Adds stored traces to an experiment; idempotent per token. */
  joinExperiment(join: ExperimentJoin): Promise<void>
  /** Stores other costs of recorded generations; idempotent per token. */
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
  /** The next traces to delete, with the rows that go with them; undefined when none is left. */
  planSlice(selection: TraceSelection, page: SlicePage): Promise<DeletionSlice | undefined>
  /**
   * Deletes the traces of a planned slice with their logs, scores and spans; idempotent per token. Resolves with how long
   * it has waited for inserts.
   */
  deleteSlice(workspaceId: string, slice: SliceToDelete): Promise<{ readonly waitedMs: number }>
  /** Deletes spans of some OpenTelemetry traces. */
  deleteSpans(workspaceId: string, otelTraceIds: readonly string[]): Promise<void>
  /** Deletes some of the scores that an end user gave. */
  deleteScoresOfUser(
    workspaceId: string,
    options: { readonly userIds: readonly string[]; readonly untilMs: number; readonly limit: number },
  ): Promise<{ scores: number; partitions: Partitions }>
  /** Which of some traces, by our id or that of OpenTelemetry, are part of a selection. */
  matchingIds(selection: TraceSelection, traceIds: readonly string[]): Promise<Set<string>>
  /** How many scores an end user gave until a moment. */
  countScoresOfUser(
    workspaceId: string,
    options: { readonly userIds: readonly string[]; readonly untilMs: number },
  ): Promise<number>
  /** How many rows a deletion would delete. */
  countSelection(selection: TraceSelection): Promise<SelectionCounts>
  /** How many rows name a subject, deleted ones that are still on the disk included. */
  subjectRows(workspaceId: string, subject: DataSubject, untilMs: number): Promise<SubjectRows>
  /** Begins to remove deleted rows of some partitions from the disk, in the background. */
  beginPurge(partitions: Partitions, step: PurgeStep): Promise<void>
  /** Whether the engine still removes rows. */
  isPurging(): Promise<boolean>
  /** How many parts that were replaced before a moment are still on the disk; an embedded engine is made to remove them. */
  removeOldParts(replacedBefore: Date): Promise<number>
  /** The time by the clock of the engine. */
  engineTime(): Promise<Date>
  /** Partitions of which many rows are deleted. */
  sparsePartitions(): Promise<Partitions>
  /** Drops months of which all rows have expired; workspaces not in the map keep everything. */
  dropExpiredMonths(expiries: Expiries): Promise<void>
  /** Deletes everything of a workspace. */
  deleteWorkspace(workspaceId: string): Promise<void>
  /** Damaged parts that are missing from what is read, as known here. */
  damagedParts(): readonly DamagedPart[]
  /** Asks the engine for them. */
  refreshDamagedParts(): Promise<readonly DamagedPart[]>
  /** Compares every part with its checksums; with `isRepair`, sets damaged ones aside. */
  checkParts(options: { readonly isRepair: boolean }): Promise<PartCheck>
  /** The number of the shard that has what belongs to a workspace, from 1. */
  shardOf(workspaceId: string): number
  /** Whether each shard answers, in the order of their numbers; one for a store that is not divided. */
  readonly pings: readonly (() => Promise<boolean>)[]
  /** Returns memory to the operating system after a burst; only an embedded engine uses ours. */
  releaseMemory(): Promise<void>
  /**
   * Has merges wait until they join many parts, for the time of a burst: each row is merged less often, and inserts have
   * the cores. Only an embedded engine does.
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
