/** The queries and results of metrics and explained changes. */
import type { ChangeDimension, Dimension, Granularity, Measure } from '@plumbline/contract'
import type { TraceFilters } from '../types.ts'

export type MetricsFilters = Omit<TraceFilters, 'q' | 'fromUs' | 'toUs'>

/** A metrics query; `metrics.ts` defines each measure by dimension. */
export type MetricsQuery = {
  measures: readonly Measure[]
  dimensions: readonly Dimension[]
  /** One row per time bucket, with weeks from Monday; a single row if absent. */
  granularity?: Granularity
  /** The time zone that defines where buckets begin; UTC if absent. */
  timeZone?: string | undefined
  /**
   * Instead of a granularity: one row for each non-empty window of the width. Windows end at multiples of the step, lie
   * within `fromUs` and `toUs`, which are required, and may overlap; `time` is their end.
   */
  windows?: { readonly widthUs: bigint; readonly stepUs: bigint } | undefined
  /** Rows also have `samples`: the number of values behind this mean or percentile. */
  samplesOf?: Measure | undefined
  filters: MetricsFilters
  /** Only scores with a name or from an evaluator. Log filters then select the scores of traces with such a log. */
  scores?: { readonly name?: string | undefined; readonly evaluatorSlug?: string | undefined } | undefined
  /** Inclusive, on the start of the trace, in microseconds. */
  fromUs?: bigint
  /** Exclusive. */
  toUs?: bigint
}

/** The time range whose change is explained, and the earlier one that it is compared with. */
export type ChangeWindows = {
  readonly window: { readonly fromUs: bigint; readonly toUs: bigint }
  /** Ends at or before the start of the window. */
  readonly baseline: { readonly fromUs: bigint; readonly toUs: bigint }
}

/** `count` is the number of traces with a value: a trace without an end has no duration. */
type Sums = {
  readonly traces: number
  readonly count: number
  readonly sum: number
  readonly squares: number
}

/** Sums of a measure over the traces with a dimension value; over all traces if there is no dimension. */
export type ChangeSums = {
  readonly dimension: ChangeDimension | undefined
  readonly value: string | null
  readonly label: string | null
  readonly window: Sums
  readonly baseline: Sums
}

/** `time` if there is a granularity, each dimension (null: not set), each measure (null: no data). */
export type MetricsRow = Record<string, string | number | null>
