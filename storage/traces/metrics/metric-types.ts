/** What metrics and explained changes are asked for and answer. */
import type { ChangeDimension, Dimension, Granularity, Measure } from '@plumbline/contract'
import type { TraceFilters } from '../types.ts'

export type MetricsFilters = Omit<TraceFilters, 'q' | 'fromUs' | 'toUs'>

/** A metrics query; `metrics.ts` defines each measure by dimension. */
export type MetricsQuery = {
  measures: readonly Measure[]
  dimensions: readonly Dimension[]
  /** One row for each, weeks from Monday; absent: one in all. */
  granularity?: Granularity
  /** Whose clocks say when they begin; UTC when absent. */
  timeZone?: string | undefined
  /**
   * Instead of a granularity: one row for each non-empty window of a width. Windows end at multiples of the step, lie
   * within `fromUs` and `toUs`, which are required, and may overlap; `time` is their end.
   */
  windows?: { readonly widthUs: bigint; readonly stepUs: bigint } | undefined
  /** Rows also have `samples`: the values that a mean or percentile among the measures is made of. */
  samplesOf?: Measure | undefined
  filters: MetricsFilters
  /** Only scores of a name or an evaluator. Log filters then select, for scores, the traces with such a log. */
  scores?: { readonly name?: string | undefined; readonly evaluatorSlug?: string | undefined } | undefined
  /** Inclusive, on the start of the trace, in microseconds. */
  fromUs?: bigint
  /** Exclusive. */
  toUs?: bigint
}

/** A stretch of time whose change is explained, and the one before that it is compared with. */
export type ChangeWindows = {
  readonly window: { readonly fromUs: bigint; readonly toUs: bigint }
  /** Ends before the window begins, or when it does. */
  readonly baseline: { readonly fromUs: bigint; readonly toUs: bigint }
}

/** `count` is how many of the traces have the measure: a trace without an end has no duration. */
type Sums = {
  readonly traces: number
  readonly count: number
  readonly sum: number
  readonly squares: number
}

/** Sums of a measure over the traces with a value; of all traces without a dimension. */
export type ChangeSums = {
  readonly dimension: ChangeDimension | undefined
  readonly value: string | null
  readonly label: string | null
  readonly window: Sums
  readonly baseline: Sums
}

/** `time` if there is a granularity, each dimension (null: not set), each measure (null: no data). */
export type MetricsRow = Record<string, string | number | null>
