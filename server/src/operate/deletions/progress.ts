/** What a deletion remembers between two steps, in the control plane: a crash continues where it stopped. */
import type { Deletion } from '@plumbline/storage/control'
import type {
  DeletedRows,
  DeletionSlice,
  DoomedTrace,
  Partitions,
  SlicePosition,
} from '@plumbline/storage/traces'

/** The steps in their order; a deletion of traces leaves out those of erasures. */
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
  /** An erasure walks twice: what was on its way at the request has arrived by the second time. */
  readonly round: number
  /** The selection that is walked. */
  readonly selection: number
  /** How many slices were planned: the number of a slice is part of its token. */
  readonly slices: number
  readonly after?: readonly [startUs: string, traceId: string]
  /** The slice that is being deleted; without traces until it is planned. */
  readonly slice?: { readonly traces: readonly StoredTrace[]; readonly rows: DeletedRows }
  /** Where deleted rows are on the disk. */
  readonly partitions: Partitions
  /** Rows that an erasure has found, before it deletes what they were found by. */
  readonly rows?: FoundRows
  /** What experiments recorded of such rows; the second walk deletes what a case under way has recorded since. */
  readonly copies?: Copies
  /** The references that were erased. */
  readonly references: number
  /** Since when the step waits for files to go, in milliseconds by our clock. */
  readonly waitingSinceMs?: number
  /** Replaced parts that the engine had not removed when we stopped waiting. */
  readonly oldParts?: number
  /** When a step that waits goes on, or when it began to; in milliseconds. */
  readonly atMs?: number
}

export interface FoundRows {
  readonly datasetRows: readonly { datasetId: string; position: number; id: string }[]
  /** Rows that only versions of datasets have; absent in progress that an older release saved. */
  readonly pastRows?: readonly { datasetId: string; position: number; sinceVersion: number }[]
  readonly runRows: readonly { runId: string; position: number }[]
  readonly fileKeys: readonly string[]
}

/** Which traces are copies of rows of the subject, whoever their user is. */
export interface Copies {
  /** Of rows of datasets: their cases name them. */
  readonly rowIds: readonly string[]
  /** Cases that do not. */
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

export function unitePartitions(first: Partitions, second: Partitions): Partitions {
  const tables = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries(
    [...tables].map((table) => [table, [...new Set([...(first[table] ?? []), ...(second[table] ?? [])])]]),
  )
}
