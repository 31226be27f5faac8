/** Lists, reads, counts and exports of traces. */
import { Type } from 'typebox'
import { Evaluation } from '../evaluate/evaluations.ts'
import { operation } from '../interface/operation.ts'
import { Cursor, Instant, Limit, NextCursor, Nullable, QueryTimeZone } from '../interface/shapes.ts'
import { StoredTrace, TraceSummary } from './stored-trace.ts'
import { defaultFacets, facetFields } from './trace-conditions.ts'
import { metadataFilters, q, traceFilters } from './trace-filters.ts'
import { traceSorts } from './trace-measures.ts'

/** Formats of trace exports. */
export const traceFormats = ['jsonl', 'csv', 'parquet'] as const

export const list = operation({
  name: 'traces.list',
  method: 'GET',
  path: '/monitor/traces',
  summary:
    'Lists the traces that match all filters, sorted by `sort`; by default, the latest start comes first.',
  notes: [
    'Calls to models that judge are recorded as traces of the feature `plumbline-judges`. Lists, counts, sums and exports leave them out unless a filter names the feature.',
    'To follow new traces, poll with `sort=received` and `receivedFrom` set to ten seconds before the newest `receivedAt` that you have seen, and skip the ids that you already have: traces may appear in a different order from the one in which they arrived.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      sort: Type.Optional(
        Type.Enum([...traceSorts], {
          description: 'Sort key; `start` by default. Unknown values rank lowest.',
        }),
      ),
      order: Type.Optional(Type.Enum(['desc', 'asc'], { description: '`desc` by default.' })),
      limit: Limit('Page size; 50 by default.'),
      cursor: Cursor,
    },
    metadataFilters,
  ),
  success: 200,
  output: Type.Object({
    traces: Type.Array(TraceSummary),
    nextCursor: NextCursor,
    searchedBackTo: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Present if a search that reads texts stopped after 200,000 traces, before the page was full: traces that started before this moment have not been searched yet, and `nextCursor` continues with them. The page may be empty.',
      }),
    ),
  }),
  errors: ['invalid_request'],
})

/** What responses return besides a trace. */
export const besideTrace = {
  evaluations: Type.Array(Evaluation, {
    description:
      'The latest 100 evaluations of the trace, most recently changed first. Completed evaluations are kept for seven days.',
  }),
  linkedTraces: Type.Array(Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }), {
    description:
      'Other stored traces that were split off from the same OpenTelemetry trace, such as those of services that call each other, in the order in which they started.',
  }),
}

export const get = operation({
  name: 'traces.get',
  method: 'GET',
  path: '/monitor/traces/{id}',
  summary: 'Returns one trace: its recorded and computed fields, its logs, its scores and its evaluations.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the trace.' }) }),
  success: 200,
  output: Type.Object({ trace: StoredTrace, ...besideTrace }),
  errors: ['trace_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'traces.delete',
  method: 'DELETE',
  path: '/monitor/traces/{id}',
  summary:
    'Deletes a trace with its logs, scores, spans, evaluations and items in annotation queues. `deletions.create` deletes many at once.',
  notes: ['Metrics no longer include the trace. Dataset rows that were made from it stay.'],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: Type.String({ description: 'Id of the trace.' }) }),
  success: 204,
  output: null,
  errors: ['trace_not_found'],
})

export { remove as delete }

export const facets = operation({
  name: 'traces.facets',
  method: 'GET',
  path: '/monitor/traces/facets',
  summary:
    'Returns the values that fields have in the traces of a list, most frequent first, with the number of traces for each.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      fields: Type.Optional(
        Type.String({
          description: `Comma-separated: ${facetFields.join(', ')}, score (names of scores), metadata (its keys), metadata.KEY; by default ${defaultFacets.join(', ')}.`,
        }),
      ),
      prefix: Type.Optional(
        Type.String({
          description: 'Only values that begin with this text, or whose label contains it, ignoring case.',
        }),
      ),
      limit: Limit('Maximum number of values per field; 20 by default.'),
    },
    metadataFilters,
  ),
  success: 200,
  output: Type.Object({
    facets: Type.Array(
      Type.Object({
        field: Type.String(),
        values: Type.Array(
          Type.Object({
            value: Type.String(),
            label: Type.Optional(
              Type.String({ description: 'Display name: that of a user or an organization.' }),
            ),
            count: Type.Integer({ description: 'Number of traces with this value.' }),
            marginOfError: Type.Optional(
              Type.Integer({
                description:
                  'Present if `count` is an estimate: half the width of its 95 % confidence interval.',
              }),
            ),
          }),
        ),
      }),
      { description: 'In the order of the request.' },
    ),
    sample: Type.Optional(
      Type.Object(
        {
          traces: Type.Integer({ description: 'Number of traces in the sample.' }),
          total: Type.Integer({
            description:
              'Number of traces that it was taken from. If `q` has to read texts, this includes traces whose texts do not match.',
          }),
        },
        {
          description:
            'Present if the counts are estimates from a sample of about 50,000 traces: for lists of more than 200,000 traces, or of more than 50,000 if `q` has a phrase, a part of a word or a word that is not ASCII. Rare values may be missing; with `prefix`, all traces are counted.',
        },
      ),
    ),
  }),
  errors: ['invalid_request'],
})

export const histogram = operation({
  name: 'traces.histogram',
  method: 'GET',
  path: '/monitor/traces/histogram',
  summary:
    'Counts the traces of a list over time, by their start, in buckets of equal width, including empty buckets.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      buckets: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of buckets; 60 by default.' }),
      ),
      includesLater: Type.Optional(
        Type.Boolean({
          description:
            'Whether traces that start at `to` or later count in the last bucket: for lists up to now, which include traces from machines whose clocks are ahead. False by default.',
        }),
      ),
      timeZone: QueryTimeZone(
        'Time zone in which buckets are aligned to midnight: an IANA name, such as `Europe/Berlin`; UTC when absent.',
      ),
    },
    metadataFilters,
  ),
  success: 200,
  output: Type.Object({
    widthMs: Type.Integer({
      description: 'Width of each bucket, except those in which clocks change; 0 if there are no buckets.',
    }),
    end: Type.Optional(Instant('End of the last bucket; absent if there are no buckets.')),
    buckets: Type.Array(
      Type.Object({
        time: Instant('Start of the bucket.'),
        traces: Type.Integer(),
        failed: Type.Integer({ description: 'Traces with a failed log.' }),
        cost: Nullable(Type.Number({ description: 'US dollars; null when no trace has a cost.' })),
      }),
    ),
  }),
  errors: ['invalid_request'],
})

const Rank = Type.Object({
  value: Nullable(Type.Number({ description: 'Value of the trace.' })),
  rank: Nullable(
    Type.Number({ description: 'Fraction of the traces whose value is the same or lower, 0 to 1.' }),
  ),
  p50: Nullable(Type.Number()),
  p95: Nullable(Type.Number()),
  p99: Nullable(Type.Number()),
})

export const percentiles = operation({
  name: 'traces.percentiles',
  method: 'GET',
  path: '/monitor/traces/{id}/percentiles',
  summary: 'Returns how a trace ranks among the traces of its feature that started in the 30 days before it.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the trace.' }) }),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'Number of traces compared, including this one.' }),
    durationMs: Rank,
    cost: Rank,
    tokens: Rank,
  }),
  errors: ['trace_not_found'],
})

/** Exported as `export`, a reserved word. */
const exportTraces = operation({
  name: 'traces.export',
  method: 'GET',
  path: '/monitor/traces/export',
  summary:
    'Streams the traces of a list as a file. JSONL has complete traces, as `traces.get` returns them; CSV and Parquet have one row for each trace, without its logs. If the connection breaks, the file is incomplete.',
  scope: 'read',
  role: 'viewer',
  audit: 'sensitive read',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      format: Type.Enum([...traceFormats], { description: 'Format of the file.' }),
    },
    metadataFilters,
  ),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  errors: ['invalid_request'],
})

export { exportTraces as export }
