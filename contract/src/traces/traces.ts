/** Traces on reading: every field sent, and what the service computed beside it. */
import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from 'typebox'
import { Evaluation } from '../evaluate/evaluations.ts'
import { Score } from '../evaluate/scores.ts'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  AnyJson,
  Cursor,
  EvaluatorReference,
  FreeObject,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
  Nullable,
  Organization,
  QueryInstant,
  type TextOrJson,
  User,
  Variable,
} from '../interface/shapes.ts'
import { recordedLogOutputs, recordedTraceOutputs } from './recorded-fields.ts'
import {
  type ConditionOperator,
  conditionFields,
  defaultFacets,
  type FilterParameters,
  facetFields,
  metadataPrefix,
  operatorsOf,
} from './trace-conditions.ts'
import { fieldEntries, logTypes, type TraceField } from './trace-fields.ts'
import { traceSorts } from './trace-measures.ts'

/** On reading every field is there: null where nothing was sent and nothing computed. */
const Value = (description: string) =>
  Type.Unsafe<TextOrJson>({ type: ['string', 'object', 'array', 'null'], description })
const NullableInstant = (description: string) => Nullable(Instant(description))
const References = Nullable(Type.Array(EvaluatorReference))
const Metadata = Nullable(FreeObject('As sent.'))

export const Totals = NamedObject('Totals', 'Sums over the logs of a trace, which count each usage once.', {
  inputTokens: Type.Number(),
  outputTokens: Type.Number(),
  cost: Type.Union([Type.Number(), Type.Null()], { description: 'US dollars; null when no log has a cost.' }),
  durationMs: Type.Union([Type.Number(), Type.Null()], {
    description: 'End minus start; null without an end.',
  }),
  errors: Type.Integer({ description: 'How many logs failed.' }),
  models: Type.Array(Type.String(), { description: 'Models used.' }),
  tokensEstimated: Type.Boolean({ description: 'Whether the sums include a token count by the service.' }),
  unpriced: Type.Optional(
    Type.Integer({
      description:
        'How many generations have no cost, so that the sum lacks them. Present where the logs are read too.',
    }),
  ),
  estimated: Type.Optional(
    Type.Integer({
      description:
        'How many generations have a token count by the service. Present where the logs are read too.',
    }),
  ),
})
export type Totals = Static<typeof Totals>

/** Of a bucket that few calls have. */
const OtherTokens = (description: string) =>
  Type.Optional(Type.Number({ description: `${description} Absent when there are none.` }))

export const Usage = NamedObject('Usage', 'Tokens of a generation in disjoint buckets.', {
  freshInput: Type.Number({ description: 'Input tokens of text that no cache served.' }),
  cacheRead: Type.Number({ description: 'Input tokens read from a cache.' }),
  cacheWrite: Type.Number({ description: 'Input tokens written to a cache.' }),
  textOutput: Type.Number({ description: 'Output tokens that are not reasoning.' }),
  reasoning: Type.Number({ description: 'Output tokens of reasoning.' }),
  audioInput: OtherTokens('Input tokens of audio that no cache served.'),
  imageInput: OtherTokens('Input tokens of images that no cache served.'),
  cacheReadAudio: OtherTokens('Input tokens of audio read from a cache.'),
  cacheReadImage: OtherTokens('Input tokens of images read from a cache.'),
  cacheWriteHour: OtherTokens('Input tokens written to a cache that lasts an hour.'),
  audioOutput: OtherTokens('Output tokens of audio.'),
  imageOutput: OtherTokens('Output tokens of images.'),
})

export const StoredLog = NamedObject(
  'StoredLog',
  'A stored log. Fields from `variables` on are those of generations, and of other logs from spans that report tokens, a cost or a model.',
  {
    id: Type.String({ description: 'The id that the client chose.' }),
    type: Type.Enum([...logTypes]),
    name: Nullable(Type.String()),
    parentId: Nullable(Type.String()),
    startTime: NullableInstant('Start of the log.'),
    endTime: NullableInstant('End of the log.'),
    metadata: Metadata,
    input: Value('As sent; rendered from the template when it was absent.'),
    output: AnyJson('As sent.'),
    idealOutput: Value('As sent.'),
    evaluators: References,
    variables: Type.Optional(Nullable(Type.Array(Variable))),
    prompt: Type.Optional(
      Nullable(
        Type.Object(
          {
            slug: Type.String(),
            version: Absentable(
              Type.String({ description: 'As sent; the version served when it was absent.' }),
            ),
            tag: Absentable(Type.String({ description: 'As sent.' })),
          },
          { description: 'The prompt used.' },
        ),
      ),
    ),
    promptVersion: Type.Optional(
      Nullable(Type.String({ description: 'The version that applied; null if there was none.' })),
    ),
    model: Type.Optional(
      Nullable(Type.String({ description: 'Of the prompt version, else `metadata.model`.' })),
    ),
    provider: Type.Optional(
      Nullable(Type.String({ description: 'Of the prompt version, else `metadata.provider`.' })),
    ),
    inputTokens: Type.Optional(
      Nullable(Type.Number({ description: 'As sent; counted when it was absent.' })),
    ),
    outputTokens: Type.Optional(
      Nullable(Type.Number({ description: 'As sent; counted when it was absent.' })),
    ),
    tokensEstimated: Type.Optional(Type.Boolean({ description: 'Whether the service counted the tokens.' })),
    usage: Type.Optional(Usage),
    serviceTier: Type.Optional(
      Nullable(
        Type.String({
          description: 'How the provider processed the call, such as `batch`; null for the standard tier.',
        }),
      ),
    ),
    cost: Type.Optional(
      Nullable(
        Type.Number({ description: 'US dollars: as sent, else computed; null when the model is unknown.' }),
      ),
    ),
    ...recordedLogOutputs,
    costEstimate: Type.Optional(
      Nullable(
        Type.Number({
          description: 'The estimate of the service in US dollars, also if the client sent a cost.',
        }),
      ),
    ),
    costDetail: Type.Optional(
      Nullable(
        FreeObject(
          'How the estimate was made: tokens times price per bucket, from which list, of which date.',
        ),
      ),
    ),
    countsInTotals: Type.Optional(
      Type.Boolean({ description: 'False if a descendant log carries the usage.' }),
    ),
  },
)
export type StoredLog = Static<typeof StoredLog>

/** What may decide whether evaluators judge a trace. */
export const samplingDeciders = ['experiment', 'trace', 'evaluator', 'default', 'client'] as const

export const SampledBy = NamedObject('SampledBy', 'What decided whether evaluators judge a trace.', {
  type: Type.Enum([...samplingDeciders], {
    description:
      '`experiment`: its traces are always judged. `trace`: its `evaluationConfig`. `evaluator`: the highest default rate of the evaluators that it refers to. `default`: none of those evaluators exists. `client`: the OpenTelemetry client has sampled.',
  }),
  evaluatorSlug: Nullable(
    Type.String({ description: 'The evaluator whose default rate applied, for the type `evaluator`.' }),
  ),
})
export type SampledBy = Static<typeof SampledBy>

const computedTraceFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String({
    description: 'As sent; the feature slug, the first root log\'s name or "trace" when absent.',
  }),
  featureSlug: Nullable(Type.String({ description: 'The feature it belongs to.' })),
  startTime: Instant('As sent; the earliest start of a log or the arrival when it was absent.'),
  endTime: NullableInstant('As sent; the latest end of a log when it was absent.'),
  receivedAt: Instant('When the service received it.'),
  organization: Nullable(Organization),
  user: Nullable(User),
  ...recordedTraceOutputs,
  experiment: Nullable(Type.Object({ id: Type.String() })),
  totals: Totals,
  sampled: Type.Boolean({ description: 'Whether evaluators judge it.' }),
  sampleRate: Nullable(
    Type.Number({ description: 'The sampling rate that applied; null if no evaluator applies.' }),
  ),
  sampledBy: Nullable(SampledBy),
  warning: Nullable(Type.String({ description: 'The warning in the response to its recording.' })),
  metadata: Metadata,
}

/** What a trace has beside its logs and scores. */
export const ownTraceFields = {
  ...computedTraceFields,
  chainSlug: Nullable(Type.String({ description: 'As sent.', deprecated: true })),
  input: Value('As sent.'),
  output: Value('As sent.'),
  idealOutput: Value('As sent.'),
  evaluators: References,
  evaluationConfig: Nullable(Type.Object({ sampleRate: Absentable(Type.Number()) })),
}

export const StoredTrace = NamedObject('StoredTrace', 'A stored trace.', {
  ...ownTraceFields,
  logs: Type.Array(StoredLog, { description: 'In the order they were sent.' }),
  scores: Type.Array(Score, { description: 'Oldest first.' }),
})
export type StoredTrace = Static<typeof StoredTrace>

export const TraceSummary = NamedObject('TraceSummary', 'A trace in the list.', {
  ...computedTraceFields,
  inputPreview: Nullable(Type.String({ description: 'Beginning of the JSON text of its input.' })),
  outputPreview: Nullable(Type.String({ description: 'Beginning of the JSON text of its output.' })),
  logCount: Type.Integer({ description: 'How many logs it has.' }),
  error: Nullable(
    Type.String({
      description: 'Beginning of the error message of its first failed log; null if none failed.',
    }),
  ),
})
export type TraceSummary = Static<typeof TraceSummary>

/** What an export of traces may be written as. */
export const traceFormats = ['jsonl', 'csv', 'parquet'] as const

const Text = (description: string) => Type.Optional(Type.String({ description }))

type ParameterSchemas = {
  [Name in keyof FilterParameters]: TOptional<TUnsafe<FilterParameters[Name]>>
}

/** The query parameters of fields. */
function parameterSchemas(): ParameterSchemas {
  const schemas = fieldEntries.flatMap(([, { type, values, parameter, minimum, maximum }]) => [
    ...[minimum, maximum].flatMap((parameter) =>
      parameter === undefined
        ? []
        : [[parameter.name, Type.Number({ description: parameter.description })] as const],
    ),
    ...(parameter === undefined ? [] : [[parameter.name, schemaOf(type, values, parameter)] as const]),
  ])
  // Safe: `FilterParameters` has the types that these schemas check.
  return Object.fromEntries(
    schemas.map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as ParameterSchemas
}

function schemaOf(
  type: TraceField['type'],
  values: TraceField['values'],
  { description }: { readonly description: string },
): TSchema {
  if (type === 'flag') return Type.Boolean({ description })
  return values === undefined ? Type.String({ description }) : Type.Enum([...values], { description })
}

const conditionFieldsWith = (operator: ConditionOperator, exclusion?: ConditionOperator): string =>
  conditionFields
    .filter((name) => {
      const operators = operatorsOf(name) ?? []
      return operators.includes(operator) && (exclusion === undefined || !operators.includes(exclusion))
    })
    .join(', ')

export const traceFilters = {
  ...parameterSchemas(),
  where: Text(
    `A JSON array of further conditions, such as [{"field":"model","not":["gpt-4o"]},{"field":"score.accuracy","max":0.5}]. Each has a field and any of is, not (lists of strings), min, max (numbers, inclusive) and exists, as the field supports. With is, not and exists: ${conditionFieldsWith('exists', 'min')}, metadata.KEY; \`trace\` is its id, and \`evaluator\` one that the trace or one of its logs refers to. With is and not, \`true\` or \`false\`: ${conditionFieldsWith('is', 'exists')}. With \`named\`, a list of ids or of parts of names in any case: ${conditionFieldsWith('named')}. With min, max and exists: ${conditionFieldsWith('min')}. With all of them: score, score.NAME.`,
  ),
  receivedFrom: QueryInstant('Traces that arrived at this instant or later.'),
  from: QueryInstant('Traces that start at this instant or later.'),
  to: QueryInstant('Traces that start before this instant.'),
}

/** `metadata.KEY=VALUE`: KEY is taken literally, dots included. */
export const metadataFilterPrefix = metadataPrefix

export const metadataFilters = {
  patternProperties: {
    '^metadata\\..': {
      type: 'string',
      description: 'Traces whose metadata has this key with this value, as text.',
    },
  },
}

export const q = Text(
  'Traces in which, or in a log of which, or in the names of its user and organization, all these words occur. "quoted words" occur as a phrase, refun* begins a word, and *fund* occurs anywhere; the last two read all texts, so give them a range.',
)

export const list = operation({
  name: 'traces.list',
  method: 'GET',
  path: '/monitor/traces',
  summary:
    'Lists traces, sorted by `sort`, by default the latest start first. A trace must match all filters.',
  notes: [
    'Calls of models that judge are traces of the feature `plumbline-judges`. They are left out, here and in all counts, sums and exports, unless a filter names the feature.',
    'To follow new traces, call this with `sort=received` and `receivedFrom` set to the newest `receivedAt` that you have, less ten seconds, and skip the ids that you have: traces may appear in another order than they arrived in.',
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
          'Present if a search that reads texts stopped before the page was full, after 200,000 traces: those that started before this moment have not been searched yet, and `nextCursor` goes on with them. The page may be empty.',
      }),
    ),
  }),
  errors: ['invalid_request'],
})

/** What is read with a trace. */
export const besideTrace = {
  evaluations: Type.Array(Evaluation, {
    description:
      'The latest 100 evaluations of the trace, the last changed first. Ended evaluations are kept for seven days.',
  }),
  linkedTraces: Type.Array(Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }), {
    description:
      'The other traces that were cut from the same OpenTelemetry trace, such as those of services that call each other, as far as they are stored; the first to start first.',
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

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'traces.delete',
  method: 'DELETE',
  path: '/monitor/traces/{id}',
  summary:
    'Deletes a trace with its logs, scores, spans, evaluations and places in annotation queues. `deletions.create` deletes many.',
  notes: ['Metrics leave the trace out from then on. Rows of datasets that were made from it stay.'],
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
    'Returns the values of fields over the traces of a list, most frequent first, with the number of traces of each.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      fields: Text(
        `Comma-separated: ${facetFields.join(', ')}, score (names of scores), metadata (its keys), metadata.KEY; by default ${defaultFacets.join(', ')}.`,
      ),
      prefix: Text('Only values that begin with this, or whose name contains it, ignoring case.'),
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
              Type.String({ description: 'What it is called: the name of a user or an organization.' }),
            ),
            count: Type.Integer({ description: 'How many traces have it.' }),
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
          traces: Type.Integer({ description: 'How many traces were counted.' }),
          total: Type.Integer({
            description:
              'Of how many; where `q` needs the texts of traces, those that have other texts are among them.',
          }),
        },
        {
          description:
            'Present if the counts are estimates from about 50,000 traces: of a list of more than 200,000 traces, or of more than 50,000 where `q` has a phrase, a part of a word or a word that is not ASCII. Values that few traces have may be missing; with `prefix` all are counted.',
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
    'Counts the traces of a list over time, by their start, in buckets of one width, including empty buckets.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      buckets: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of buckets; 60 by default.' }),
      ),
    },
    metadataFilters,
  ),
  success: 200,
  output: Type.Object({
    widthMs: Type.Integer({ description: 'Width of every bucket; 0 if there is none.' }),
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
  value: Nullable(Type.Number({ description: 'Of the trace.' })),
  rank: Nullable(Type.Number({ description: 'Fraction of the traces with the same value or less, 0 to 1.' })),
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

/** Exported as `export`, which is no legal name for a constant. */
const exportTraces = operation({
  name: 'traces.export',
  method: 'GET',
  path: '/monitor/traces/export',
  summary:
    'Streams the traces of a list as a file. JSONL has whole traces, as `traces.get` returns them; CSV and Parquet have a row for each trace, without its logs. A response that breaks off is incomplete.',
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
