/** Statistics over traces and logs. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Instant,
  NamedObject,
  Nullable,
  QueryInstant,
  QueryTimeZone,
  type Timestamp,
} from '../interface/shapes.ts'
import { FilterObject, metadataFilterPrefix, traceFilters } from './trace-filters.ts'
import { distributionMeasures, fieldDimensions } from './trace-measures.ts'

export const measures = [
  'traces',
  'logs',
  'generations',
  'errors',
  'errorRate',
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cost',
  'unpriced',
  'estimated',
  ...distributionMeasures.keys(),
  'users',
  'scores',
  'avgScore',
  'scoreCost',
] as const
export type Measure = (typeof measures)[number]

export const dimensions = [...fieldDimensions, 'scoreName', 'evaluatorVersion'] as const
export type Dimension = (typeof dimensions)[number] | `${typeof metadataFilterPrefix}${string}`

export const granularities = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Granularity = (typeof granularities)[number]

/** Measures whose change can be explained: those that add up from single traces. */
export const changeMeasures = ['traces', 'cost', 'totalTokens', 'errorRate', 'avgDurationMs'] as const
export type ChangeMeasure = (typeof changeMeasures)[number]

/** The dimensions by which a change is explained. */
export const changeDimensions = [
  'feature',
  'name',
  'environment',
  'release',
  'organization',
  'user',
  'tag',
  'model',
  'promptVersion',
] as const
export type ChangeDimension = (typeof changeDimensions)[number]

/** The filters of a metrics query: those of `traces.list`, except full-text search. */
export const MetricsFilters = FilterObject(traceFilters)

export const query = operation({
  name: 'metrics.query',
  method: 'GET',
  path: '/metrics/query',
  summary: 'Computes measures of traces and logs, by dimensions and over time.',
  notes: [
    'Hours, days, weeks (from Monday) and months follow `timeZone`, and `time` is the instant at which the interval begins. A day begins when clocks first reach its start, so it has 23 or 25 hours if they change. An hour that clocks show twice has two rows.',
    'With a filter on `model`, `promptSlug`, `promptVersion` or `type`, or an `is` condition in `where` on such a field, durations, errors, tokens and cost are those of the matching logs (with several values, of the logs that match any of them). `not` and `exists`, and a second condition on the same field, select whole traces: `{"field": "model", "not": ["gpt-4o"]}` measures the traces without a call to that model.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    measures: Type.String({ description: `Comma-separated: ${measures.join(', ')}.` }),
    dimensions: Type.Optional(
      Type.String({ description: `Comma-separated: ${dimensions.join(', ')}, ${metadataFilterPrefix}KEY.` }),
    ),
    granularity: Type.Optional(
      Type.Enum([...granularities], {
        description: 'One row for each interval of this length; a single row when absent.',
      }),
    ),
    timeZone: QueryTimeZone(
      'Time zone of the intervals: an IANA name, such as `Europe/Berlin`; UTC when absent.',
    ),
    filters: Type.Optional(
      Type.String({
        description: 'A JSON object of the filters of GET /monitor/traces, such as {"featureSlug":"chat"}.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description:
          'Maximum number of groups, those with the highest first measure; not allowed with a granularity.',
      }),
    ),
    from: traceFilters.from,
    to: traceFilters.to,
  }),
  success: 200,
  output: Type.Object({
    rows: Type.Array(
      Type.Unsafe<Record<string, string | number | null>>({
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'null'] },
        description: '`time` with a granularity, each dimension, each measure.',
      }),
    ),
  }),
  errors: ['invalid_request'],
})

const Figure = (description: string) => Nullable(Type.Number({ description }))
const Interval = Type.Array(Type.Number(), {
  minItems: 2,
  maxItems: 2,
  description: 'Lower and upper end, at 95 % confidence.',
})

export const ChangeReason = NamedObject(
  'ChangeReason',
  'A value of a dimension that accounts for a change.',
  {
    dimension: Type.Enum([...changeDimensions]),
    value: Nullable(
      Type.String({
        description: 'Null for traces without a value. A prompt version is written `slug version`.',
      }),
    ),
    label: Nullable(Type.String({ description: 'Display name: that of a user or an organization.' })),
    contribution: Type.Number({
      description: 'Contribution of its traces to the change, in the unit of the measure.',
    }),
    interval: Interval,
    shareOfChange: Type.Number({
      description: 'The contribution as a fraction of the change; can exceed 1.',
    }),
    shareOfTraces: Type.Number({ description: 'Its fraction of the traces in the window and the baseline.' }),
    before: Figure('The measure of its traces in the baseline; sums are scaled to the length of the window.'),
    after: Figure('The measure of its traces in the window.'),
    tracesBefore: Type.Integer({ description: 'Number of its traces in the baseline.' }),
    tracesAfter: Type.Integer({ description: 'Number of its traces in the window.' }),
  },
)
export type ChangeReason = Static<typeof ChangeReason>

export const explain = operation({
  name: 'metrics.explain',
  method: 'GET',
  path: '/metrics/explain',
  summary:
    'Returns the values of dimensions that account for the change of a measure between a baseline and a later window.',
  notes: [
    'The contributions of all values of a dimension add up to the change; a trace with several models, tags or prompts counts for each.',
    'The list has the values that contribute significantly more than their share of the traffic (at 99.9 %, since many values are compared), the largest first. If a dimension has more than 1,000 values, those with the most traces are compared.',
    'All figures are for whole traces. With a filter on `model`, `promptSlug`, `promptVersion` or `type`, `metrics.query` measures the matching logs, and this operation measures the traces that have such a log.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    measure: Type.Enum([...changeMeasures], {
      description:
        'Sums: `traces`, `cost`, `totalTokens`. Means: `errorRate` (failed traces), `avgDurationMs`.',
    }),
    from: Type.Unsafe<Timestamp>({ type: 'string', description: 'Start of the window, inclusive.' }),
    to: Type.Unsafe<Timestamp>({ type: 'string', description: 'End of the window, exclusive.' }),
    baselineFrom: QueryInstant('Start of the baseline; by default, the baseline is as long as the window.'),
    baselineTo: QueryInstant('End of the baseline; the start of the window when absent.'),
    filters: Type.Optional(
      Type.String({ description: 'A JSON object of the filters of GET /monitor/traces.' }),
    ),
  }),
  success: 200,
  output: Type.Object({
    before: Figure('The measure in the baseline; sums are scaled to the length of the window.'),
    after: Figure('The measure in the window.'),
    change: Figure('`after` minus `before`.'),
    interval: Nullable(Interval),
    tracesBefore: Type.Integer({ description: 'Number of traces in the baseline.' }),
    tracesAfter: Type.Integer({ description: 'Number of traces in the window.' }),
    baseline: Type.Object({ from: Instant('Start, inclusive.'), to: Instant('End, exclusive.') }),
    reasons: Type.Array(ChangeReason, {
      description: 'At most 20, the largest first; empty if nothing stands out.',
    }),
  }),
  errors: ['invalid_request'],
})
