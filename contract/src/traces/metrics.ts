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

/** What a change can be explained of: measures that are made of single traces. */
export const changeMeasures = ['traces', 'cost', 'totalTokens', 'errorRate', 'avgDurationMs'] as const
export type ChangeMeasure = (typeof changeMeasures)[number]

/** The dimensions that a change is explained by. */
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

/** The filters of a metrics query: those of the list of traces, but for full text. */
export const MetricsFilters = FilterObject(traceFilters)

export const query = operation({
  name: 'metrics.query',
  method: 'GET',
  path: '/metrics/query',
  summary: 'Computes measures of traces and logs, by dimensions and over time.',
  notes: [
    'Hours, days, weeks (from Monday) and months are those of `timeZone`, and `time` is the instant at which one begins. A day lasts from when clocks first show its start until they first show its end: 23 or 25 hours where they change. An hour that they show twice has two rows.',
    'With a filter on `model`, `promptSlug`, `promptVersion` or `type`, or a condition `is` of `where` on such a field, durations, errors, tokens and cost are those of the logs that match, with several values those that match any. `not` and `exists`, and a second condition on the same field, say which traces count: `{"field": "model", "not": ["gpt-4o"]}` measures the traces without a call of that model.',
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
        description: 'A row for each interval of this length; a single row when absent.',
      }),
    ),
    timeZone: QueryTimeZone(
      'Whose clocks say when an interval begins: an IANA name, such as `Europe/Berlin`; UTC when absent.',
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
          'Only so many groups, those with the most of the first measure; not together with a granularity.',
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
  description: 'From and to, at 95 % confidence.',
})

export const ChangeReason = NamedObject(
  'ChangeReason',
  'A value of a dimension that accounts for a change.',
  {
    dimension: Type.Enum([...changeDimensions]),
    value: Nullable(
      Type.String({ description: 'Null: the traces without a value. A prompt version as `slug version`.' }),
    ),
    label: Nullable(
      Type.String({ description: 'What people call it: the name of a user or an organization.' }),
    ),
    contribution: Type.Number({
      description: 'What its traces add to the change, in the unit of the measure.',
    }),
    interval: Interval,
    shareOfChange: Type.Number({
      description: 'The contribution as a fraction of the change; can exceed 1.',
    }),
    shareOfTraces: Type.Number({ description: 'Its fraction of the traces of both windows.' }),
    before: Figure('The measure of its traces in the baseline, a sum scaled to the length of the window.'),
    after: Figure('The measure of its traces in the window.'),
    tracesBefore: Type.Integer({ description: 'Its traces in the baseline.' }),
    tracesAfter: Type.Integer({ description: 'Its traces in the window.' }),
  },
)
export type ChangeReason = Static<typeof ChangeReason>

export const explain = operation({
  name: 'metrics.explain',
  method: 'GET',
  path: '/metrics/explain',
  summary:
    'Says which values of which dimensions account for the change of a measure between a window and a baseline before it.',
  notes: [
    'The contributions of all values of a dimension add up to the change; a trace with several models, tags or prompts counts for each.',
    'Values are listed that contribute more than their share of the traffic makes one expect, by more than noise explains (at 99.9 %, since many values are compared), the largest first. Of a dimension with more than 1,000 values those with the most traces are compared.',
    'All figures are those of whole traces. With a filter on `model`, `promptSlug`, `promptVersion` or `type`, `metrics.query` measures the logs that match, and this operation the traces that have such a log.',
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
    baselineFrom: QueryInstant('Start of the baseline; by default as long before the window as it lasts.'),
    baselineTo: QueryInstant('End of the baseline; the start of the window when absent.'),
    filters: Type.Optional(
      Type.String({ description: 'A JSON object of the filters of GET /monitor/traces.' }),
    ),
  }),
  success: 200,
  output: Type.Object({
    before: Figure('The measure of the baseline, a sum scaled to the length of the window.'),
    after: Figure('The measure of the window.'),
    change: Figure('After less before.'),
    interval: Nullable(Interval),
    tracesBefore: Type.Integer({ description: 'Traces in the baseline.' }),
    tracesAfter: Type.Integer({ description: 'Traces in the window.' }),
    baseline: Type.Object({ from: Instant('Its start.'), to: Instant('Its end.') }),
    reasons: Type.Array(ChangeReason, {
      description: 'At most 20, the largest first; empty if nothing stands out.',
    }),
  }),
  errors: ['invalid_request'],
})
