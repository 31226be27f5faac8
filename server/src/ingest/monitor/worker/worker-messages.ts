/** Messages between the main thread and the recording worker. */
import type { SpanArrival } from '@plumbline/storage/control'
import type { SegmentSource } from '@plumbline/storage/spool/read-segment'
import type { ScoreRevision } from '@plumbline/storage/traces'
import type { LogRow, ScoreRow, TraceRow } from '@plumbline/storage/traces/rows'
import type { AssembledRows, AssembleTask } from '../../otlp/assembly/assemble.ts'
import type { OpenTraceTask } from '../../otlp/assembly/make-open-trace.ts'
import type { OpenTrace } from '../../otlp/assembly/open-traces.ts'
import type { WholeTraceRows } from '../../otlp/assembly/whole-traces.ts'
import type { PriceOverride } from '../../usage/price-override.ts'
import type { LiveRates, SampledTrace } from '../judged-references.ts'

/** Price overrides by workspace. */
export type Overrides = Readonly<Record<string, readonly PriceOverride[]>>

export type Task =
  | {
      readonly type: 'segment'
      readonly source: SegmentSource
      readonly overrides: Overrides
      readonly skip: readonly number[]
      /** Records of other workspaces are dropped, since those were deleted. */
      readonly workspaceIds: readonly string[]
      /** Whether to build the rows of OpenTelemetry traces whose spans are all in the segment. */
      readonly makesWholeTraces: boolean
      readonly liveRates: LiveRates
      /** Whether to list which records belong to which workspace. */
      readonly listsRecords: boolean
    }
  | { readonly type: 'record'; readonly record: Uint8Array; readonly overrides: Overrides }
  | ({ readonly type: 'assembly'; readonly overrides: Overrides } & AssembleTask)
  | ({ readonly type: 'open trace'; readonly overrides: Overrides } & OpenTraceTask)

/** A task with the price list file to compute with; undefined for the list of the release. */
export type PricedTask = Task & { readonly priceList: string | undefined }

/** The records of one API key in one hour. */
export interface Tally {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly hourMs: number
  stored: number
  sampled: number
  sampledOut: number
}

/** A record that could not be turned into rows, by its position in the segment. */
export interface UnreadableRecord {
  readonly position: number
  readonly id: string
  readonly error: string
}

export interface SegmentRows {
  readonly traces: Uint8Array
  readonly logs: Uint8Array
  readonly scores: Uint8Array
  readonly spans: Uint8Array
  /** One for each OpenTelemetry trace with spans in the segment. */
  readonly arrivals: SpanArrival[]
  readonly whole: WholeTraceRows | undefined
  readonly tallies: Tally[]
  /** The sampled traces with their evaluators. */
  readonly sampledTraces: readonly SampledTrace[]
  readonly scoreRevisions: ScoreRevision[]
  readonly unreadable: UnreadableRecord[]
  readonly damagedRecords: number
  /** The ids of the records of each workspace, where they are listed; without records that killed a worker. */
  readonly recordIds: ReadonlyMap<string, readonly string[]>
}

export type RecordRows =
  | {
      readonly type: 'trace'
      readonly workspaceId: string
      readonly trace: TraceRow
      readonly logs: LogRow[]
    }
  | { readonly type: 'score'; readonly workspaceId: string; readonly score: ScoreRow }
  | { readonly type: 'spans'; readonly workspaceId: string }

export type Result = SegmentRows | RecordRows | AssembledRows | OpenTrace
