/** The state of a deletion between two steps, stored in the control plane: after a crash it continues where it stopped. */
import type { Deletion } from '@plumbline/storage/control'
import type {
  DeletedRows,
  DeletionSlice,
  DoomedTrace,
  Partitions,
  SlicePosition,
} from '@plumbline/storage/traces'

/** The steps in order; trace deletions skip those of erasures. */
export type StepName =
  | 'settle'
  | 'find'
  | 'references'
  | 'traces'
  | 'scores'
  | 'wait'
  | 'patches'
  | 'mask'
  | 'disk'
  | 'check'

type StoredTrace = readonly [traceId: string, startUs: string, otelTraceId: string]

export interface Progress {
  readonly step: StepName
  /** An erasure makes two passes: data in transit at the time of the request has arrived by the second one. */
  readonly round: number
  /** The index of the current selection. */
  readonly selection: number
  /** How many slices were planned: a slice's number is part of its token. */
  readonly slices: number
  readonly after?: readonly [startUs: string, traceId: string]
  /** The slice being deleted; without traces until it is planned. */
  readonly slice?: { readonly traces: readonly StoredTrace[]; readonly rows: DeletedRows }
  /** The partitions on disk that contain deleted rows. */
  readonly partitions: Partitions
  /** Rows that an erasure has found, kept because the data that led to them is deleted first. */
  readonly rows?: FoundRows
  /** Traces that experiments recorded for such rows; the second pass deletes what running cases have recorded since. */
  readonly copies?: Copies
  /** How many places of references have been erased. */
  readonly references: number
  /** When the step started to wait for files to be removed, in milliseconds by our clock. */
  readonly waitingSinceMs?: number
  /** Replaced parts that the engine had not removed when we stopped waiting. */
  readonly oldParts?: number
  /** When a waiting step continues, or when it started; in milliseconds. */
  readonly atMs?: number
}

export interface FoundRows {
  readonly datasetRows: readonly { datasetId: string; position: number; id: string }[]
  /** Rows only in past dataset versions; absent in progress saved by an older release. */
  readonly pastRows?: readonly { datasetId: string; position: number; sinceVersion: number }[]
  readonly runRows: readonly { runId: string; position: number }[]
  readonly fileKeys: readonly string[]
}

/** Traces that are copies of the subject's rows, whichever user they name. */
export interface Copies {
  /** Dataset rows, which their cases refer to. */
  readonly rowIds: readonly string[]
  /** Cases that do not refer to their row. */
  readonly traceIds: readonly string[]
}

const first: Progress = { step: 'settle', round: 1, selection: 0, slices: 0, partitions: {}, references: 0 }

// Safe: only `progressText` writes this column.
export const progressOf = ({ progress }: Deletion): Progress => ({
  ...first,
  ...(JSON.parse(progress) as Partial<Progress>),
})

export const progressText = (progress: Progress): string => JSON.stringify(progress)

export const toStoredTraces = ({ traces }: DeletionSlice): StoredTrace[] =>
  traces.map(({ traceId, startUs, otelTraceId }) => [traceId, String(startUs), otelTraceId])

export const toDoomedTraces = (traces: readonly StoredTrace[]): DoomedTrace[] =>
  traces.map(([traceId, startUs, otelTraceId]) => ({ traceId, startUs: BigInt(startUs), otelTraceId }))

export const positionOf = ({ after }: Progress): SlicePosition | undefined =>
  after && { startUs: BigInt(after[0]), traceId: after[1] }

export function mergePartitions(first: Partitions, second: Partitions): Partitions {
  const tables = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries(
    [...tables].map((table) => [table, [...new Set([...(first[table] ?? []), ...(second[table] ?? [])])]]),
  )
}
