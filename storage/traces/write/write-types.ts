/** Types of the changes to stored rows: replacements, deletions, expiry, and changed costs. */
import type { InsertBatch, TraceKey } from '../types.ts'

/** Changed costs of the logs of some traces; at most a hundred logs, since each is part of the statement. */
export type CostChanges = {
  /**
   * Includes the revision that the costs belong to: a trace replaced since it was read may have different logs and
   * positions, and its costs already follow the current prices.
   */
  readonly keys: readonly (TraceKey & { readonly revision: string })[]
  readonly traces: readonly { readonly traceId: string; readonly cost: number | null }[]
  readonly logs: readonly {
    readonly traceId: string
    readonly position: number
    readonly cost: number | null
    readonly costEstimate: number | null
    readonly costDetail: string | null
    readonly costInTotals: number | null
  }[]
  /** The hourly sums change once per token. */
  readonly token: string
}

/** The cutoff of each workspace, in milliseconds: earlier arrivals expire. Workspaces not in the map keep everything. */
export type Expiries = ReadonlyMap<string, number>

export type ExperimentJoin = {
  readonly experimentId: string
  /** Traces without an experiment. */
  readonly keys: readonly TraceKey[]
  readonly token: string
}

export type Replacement = Omit<InsertBatch, 'token' | 'withoutShards'> & {
  /** Higher than all earlier revisions. */
  readonly revision: number
  /** The keys of all rows of these traces, in this revision and in lower ones. */
  readonly keys: readonly TraceKey[]
  /** Whether there can be rows with a lower revision. */
  readonly replaces: boolean
}

/** A stored trace that is to be deleted. */
export type DoomedTrace = {
  readonly traceId: string
  readonly startUs: bigint
  /** Empty for a trace that was not assembled from spans. */
  readonly otelTraceId: string
}

export type DeletedRows = { traces: number; logs: number; scores: number; spans: number }

/** Partition ids by table, for partitions with rows to remove from disk. */
export type Partitions = Readonly<Record<string, readonly string[]>>

export type DeletionSlice = {
  readonly traces: readonly DoomedTrace[]
  readonly rows: DeletedRows
  readonly partitions: Partitions
}

/** The position in the walk over the matching traces, which are planned in the order of the primary key. */
export type SlicePosition = { readonly startUs: bigint; readonly traceId: string }

export type SlicePage = { readonly limit: number; readonly after?: SlicePosition | undefined }

export type SliceToDelete = {
  readonly traces: readonly DoomedTrace[]
  readonly token: string
  /** Whether dashboards keep counting the traces, as they do after retention. */
  readonly keepsSums: boolean
}

/** A step of the removal of deleted rows from the disk. */
export type PurgeStep = 'APPLY PATCHES' | 'APPLY DELETED MASK'
