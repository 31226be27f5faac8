/** The tables that each measure can be read from. */
import {
  distributionMeasures,
  fieldEntries,
  type Measure,
  recordedLogFields,
  type TraceField,
} from '@plumbline/contract'
import { isUnpriced } from '../rows/incompleteness.ts'
import {
  type Columns,
  logsHourly as columnsOfLogsHourly,
  tracesHourly as columnsOfTracesHourly,
} from './hourly-sums.ts'

/** A table with the measures and dimensions it supports. Columns have the same names in all tables. */
export type Source = {
  from: string
  /** The column with the trace start, which defines the time of a row. */
  start: string
  measures: Partial<Record<Measure, string>>
  /** The number of values behind a mean or percentile. */
  samples: Partial<Record<Measure, string>>
  dimensions: FieldDimensions
  /** Excludes empty groups: sums remain, at zero, where replaced traces have moved away. */
  groupCondition?: string
  /** For a roll-up: the table that it sums. */
  rows?: { readonly source: Source; readonly columns: Columns }
}

type FieldDimensions = Readonly<Record<string, string>>

const withDimension = fieldEntries.flatMap(([, field]): readonly (TraceField & { dimension: string })[] =>
  field.dimension === undefined ? [] : [{ ...field, dimension: field.dimension }],
)
const dimensionsBy = (columnOf: (field: TraceField) => string | undefined): FieldDimensions =>
  Object.fromEntries(
    withDimension.flatMap((field) => {
      const column = columnOf(field)
      return column === undefined ? [] : [[field.dimension, column]]
    }),
  )

/** Fields that belong to the trace; fields that differ between its logs are dimensions of the logs. */
const isOfTraces = ({ type, logColumn }: TraceField): boolean => type === 'text' || logColumn === undefined

/** A trace with several values counts once for each, and one with none counts as having no value. */
const eachValue = (column: string): string =>
  `arrayJoin(if(empty(${column}), [NULL], arrayMap(value -> toNullable(toString(value)), arrayDistinct(${column}))))`

const traceDimensions = dimensionsBy((field) => {
  if (!isOfTraces(field) || field.column === undefined) return undefined
  return field.type === 'list' ? eachValue(field.column) : field.column
})
/** Dimensions that logs have, either of their own or as a copy. */
export const ownLogDimensions = dimensionsBy(({ logColumn }) => logColumn)
const rolledUpTraces = dimensionsBy(({ type, isRolledUp, logColumn }) =>
  type === 'text' && isRolledUp ? logColumn : undefined,
)
const rolledUpLogs = dimensionsBy(({ isRolledUp, logColumn }) => (isRolledUp ? logColumn : undefined))

/** Columns of traces that logs and scores need for their dimensions. */
export const traceDimensionColumns: readonly string[] = Object.values(
  dimensionsBy((field) => (isOfTraces(field) ? field.column : undefined)),
)

/** Dimensions that only logs have: with one of them, every measure is over logs. */
export const logDimensions: ReadonlySet<string> = new Set(
  Object.keys(ownLogDimensions).filter((name) => !(name in traceDimensions)),
)
/** Columns of logs that scores need for their dimensions. */
export const logDimensionColumns: readonly string[] = [...logDimensions].map(
  (name) => ownLogDimensions[name]!,
)

/** Columns of logs that are needed for their means and percentiles. */
export const logMeasureColumns: readonly string[] = [
  'duration_us',
  ...recordedLogFields.map(({ column }) => column),
]

/** Dimensions that only scores have: with one of them, only measures of scores have values. */
export const scoreDimensions: ReadonlySet<string> = new Set(['scoreName', 'evaluatorVersion'])

/** An aggregate for each field of a table that has a distribution. */
const distributions = (
  columnOf: (field: TraceField) => string | undefined,
  aggregateOf: (statistic: string) => string,
): Source['measures'] =>
  Object.fromEntries(
    [...distributionMeasures].flatMap(([name, { field, statistic }]) => {
      const column = columnOf(field)
      if (column === undefined) return []
      // Recorded values are stored as sent, but only valid ones count.
      const value = field.recordedField === undefined ? column : `if(${column} >= 0, ${column}, NULL)`
      return [[name, `${aggregateOf(statistic)}(${value})`]]
    }),
  )
const statisticOf = (statistic: string): string =>
  statistic === 'avg' ? 'avg' : `quantileExactInclusive(0.${statistic.slice(1)})`
const countOf = (): string => 'count'

export const traces: Source = {
  from: 'traces',
  start: 'start_us',
  measures: {
    traces: 'count()',
    logs: 'sum(log_count)',
    errors: 'sum(errors)',
    errorRate: 'countIf(errors > 0) / nullIf(count(), 0)',
    inputTokens: 'sum(input_tokens)',
    outputTokens: 'sum(output_tokens)',
    totalTokens: 'sum(total_tokens)',
    cost: 'sum(cost)',
    ...distributions(({ column }) => column, statisticOf),
    users: 'uniqExact(user_id)',
  },
  samples: distributions(({ column }) => column, countOf),
  dimensions: traceDimensions,
}

export const logs: Source = {
  from: 'logs',
  start: 'trace_start_us',
  measures: {
    traces: 'uniqExact(trace_id)',
    logs: 'count()',
    generations: `countIf(type = 'generation')`,
    errors: 'countIf(has_error)',
    errorRate: 'countIf(has_error) / nullIf(count(), 0)',
    inputTokens: 'ifNull(sumIf(input_tokens, counts_in_totals), 0)',
    outputTokens: 'ifNull(sumIf(output_tokens, counts_in_totals), 0)',
    totalTokens: 'ifNull(sumIf(ifNull(input_tokens, 0) + ifNull(output_tokens, 0), counts_in_totals), 0)',
    cost: 'sum(cost_in_totals)',
    // Generations missing from the cost sum, and generations whose tokens were counted by the service.
    unpriced: `countIf(type = 'generation' AND counts_in_totals AND ${isUnpriced})`,
    estimated: `countIf(type = 'generation' AND counts_in_totals AND tokens_estimated)`,
    ...distributions(({ logColumn }) => logColumn, statisticOf),
    users: 'uniqExact(user_id)',
  },
  samples: distributions(({ logColumn }) => logColumn, countOf),
  dimensions: { ...traceDimensions, ...ownLogDimensions },
}

const sums = {
  errors: 'sum(errors)',
  inputTokens: 'sum(input_tokens)',
  outputTokens: 'sum(output_tokens)',
  totalTokens: 'sum(input_tokens) + sum(output_tokens)',
  cost: 'if(sum(priced) = 0, NULL, sum(cost))',
  // The sum of one hour fits in 64 bits; the sum over all hours may not.
  avgDurationMs: 'sum(toFloat64(duration_us)) / nullIf(sum(timed), 0) / 1000',
}

/** For the hourly sums. */
const samples = { avgDurationMs: 'sum(timed)' }

export const tracesHourly: Source = {
  from: 'traces_hourly',
  start: 'hour_us',
  measures: {
    ...sums,
    traces: 'sum(traces)',
    logs: 'sum(logs)',
    errorRate: 'sum(failed_traces) / nullIf(sum(traces), 0)',
  },
  samples,
  dimensions: rolledUpTraces,
  groupCondition: 'HAVING sum(traces) > 0',
  rows: { source: traces, columns: columnsOfTracesHourly },
}

export const logsHourly: Source = {
  from: 'logs_hourly',
  start: 'hour_us',
  measures: {
    ...sums,
    logs: 'sum(logs)',
    generations: `sumIf(logs, type = 'generation')`,
    errorRate: 'sum(errors) / nullIf(sum(logs), 0)',
  },
  samples,
  dimensions: rolledUpLogs,
  groupCondition: 'HAVING sum(logs) > 0',
  rows: { source: logs, columns: columnsOfLogsHourly },
}

export const scores: Source = {
  from: 'scores',
  start: 'start_us',
  measures: {
    scores: 'count()',
    avgScore: 'avg(number)',
    // The cost of judging, not of the judged trace.
    scoreCost: 'sum(judging_cost)',
    // Qualified, because the joined traces and logs have the column too.
    traces: 'uniqExact(s.trace_id)',
  },
  // Text scores do not count towards the mean.
  samples: { avgScore: 'count(number)' },
  dimensions: {
    ...traceDimensions,
    ...ownLogDimensions,
    scoreName: 'score_name',
    evaluatorVersion: 'evaluator_version',
  },
}
