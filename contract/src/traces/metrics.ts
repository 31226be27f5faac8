/** Statistics over traces and logs. */
import { Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { distributionMeasures, fieldDimensions } from './trace-measures.ts'
import { metadataFilterPrefix, traceFilters } from './traces.ts'

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

/** The filters of a metrics query: those of the list of traces, but for full text. */
export const MetricsFilters = Type.Object(traceFilters, {
  patternProperties: { '^metadata\\..': { type: 'string' } },
})

export const query = operation({
  name: 'metrics.query',
  method: 'GET',
  path: '/metrics/query',
  summary: 'Computes measures of traces and logs, by dimensions and over time (UTC).',
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
    filters: Type.Optional(
      Type.String({
        description: 'A JSON object of the filters of GET /monitor/traces, such as {"featureSlug":"chat"}.',
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
        description: '`time` when a granularity was given, each dimension, each measure.',
      }),
    ),
  }),
  errors: ['invalid_request'],
})
