/** Traces on reading: every field sent, and what the service computed beside it. */
import { type Static, Type } from 'typebox'
import { Evaluation } from './evaluations.ts'
import { logTypes } from './monitor.ts'
import { operation } from './operation.ts'
import { Score } from './scores.ts'
import {
  Absentable,
  AnyJson,
  Cursor,
  EvaluatorReference,
  FreeObject,
  Instant,
  Limit,
  NextCursor,
  Nullable,
  named,
  Organization,
  QueryInstant,
  type TextOrJson,
  User,
  Variable,
} from './shapes.ts'

/** On reading every field is there: null where nothing was sent and nothing computed. */
const Value = (description: string) =>
  Type.Unsafe<TextOrJson>({ type: ['string', 'object', 'array', 'null'], description })
const NullableInstant = (description: string) => Nullable(Instant(description))
const References = Nullable(Type.Array(EvaluatorReference))
const Metadata = Nullable(FreeObject('As sent.'))

export const Totals = named('Totals', 'Sums over the logs of a trace; a usage is counted once.', {
  inputTokens: Type.Number(),
  outputTokens: Type.Number(),
  cost: Type.Union([Type.Number(), Type.Null()], { description: 'US dollars; null when no log has a cost.' }),
  durationMs: Type.Union([Type.Number(), Type.Null()], {
    description: 'End minus start; null without an end.',
  }),
  errors: Type.Integer({ description: 'How many logs failed.' }),
  models: Type.Array(Type.String(), { description: 'Models used.' }),
  tokensEstimated: Type.Boolean({ description: 'Whether a token count in the sums is our own.' }),
})
export type Totals = Static<typeof Totals>

export const Usage = named('Usage', 'Tokens of a generation in disjoint buckets.', {
  freshInput: Type.Number({ description: 'Input tokens that no cache served.' }),
  cacheRead: Type.Number({ description: 'Input tokens read from a cache.' }),
  cacheWrite: Type.Number({ description: 'Input tokens written to a cache.' }),
  textOutput: Type.Number({ description: 'Output tokens that are not reasoning.' }),
  reasoning: Type.Number({ description: 'Output tokens of reasoning.' }),
})

export const StoredLog = named(
  'StoredLog',
  'A log on reading. Fields from `variables` on are those of generations, and of other logs of spans that report tokens, a cost or a model.',
  {
    id: Type.String({ description: 'The id that the client gave.' }),
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
      Nullable(Type.String({ description: 'The version served; null when none could be.' })),
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
    tokensEstimated: Type.Optional(Type.Boolean({ description: 'Whether a count is ours.' })),
    usage: Type.Optional(Usage),
    cost: Type.Optional(
      Nullable(
        Type.Number({ description: 'US dollars: as sent, else computed; null when the model is unknown.' }),
      ),
    ),
    costEstimate: Type.Optional(
      Nullable(Type.Number({ description: 'Our own estimate in US dollars, also beside a given cost.' })),
    ),
    costDetail: Type.Optional(
      Nullable(
        FreeObject(
          'How the estimate was made: tokens times price per bucket, from which list, of which date.',
        ),
      ),
    ),
    countsInTotals: Type.Optional(
      Type.Boolean({ description: 'False where a log below carries the usage.' }),
    ),
  },
)
export type StoredLog = Static<typeof StoredLog>

/** What may decide whether evaluators judge a trace. */
export const samplingDeciders = ['experiment', 'trace', 'evaluator', 'default', 'client'] as const

export const SampledBy = named('SampledBy', 'What decided whether evaluators judge a trace.', {
  type: Type.Enum([...samplingDeciders], {
    description:
      '`experiment`: its traces are always judged. `trace`: its `evaluationConfig`. `evaluator`: the default rate of one, the highest of those referred to. `default`: none of those referred to is known. `client`: the client of OpenTelemetry has drawn by itself.',
  }),
  evaluatorSlug: Nullable(
    Type.String({ description: 'Whose default rate it was, of the type `evaluator`.' }),
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
  receivedAt: Instant('When the service took it.'),
  organization: Nullable(Organization),
  user: Nullable(User),
  sessionId: Nullable(Type.String({ description: '`metadata.sessionId`, if it is a text.' })),
  experiment: Nullable(Type.Object({ id: Type.String() })),
  totals: Totals,
  sampled: Type.Boolean({ description: 'Whether evaluators judge it.' }),
  sampleRate: Nullable(
    Type.Number({ description: 'The rate that decided it; null when nothing would judge it.' }),
  ),
  sampledBy: Nullable(SampledBy),
  warning: Nullable(Type.String({ description: 'The warning that its recording was answered with.' })),
  metadata: Metadata,
}

export const StoredTrace = named('StoredTrace', 'A trace on reading.', {
  ...computedTraceFields,
  chainSlug: Nullable(Type.String({ description: 'As sent.', deprecated: true })),
  input: Value('As sent.'),
  output: Value('As sent.'),
  idealOutput: Value('As sent.'),
  evaluators: References,
  evaluationConfig: Nullable(Type.Object({ sampleRate: Absentable(Type.Number()) })),
  logs: Type.Array(StoredLog, { description: 'In the order they were sent.' }),
  scores: Type.Array(Score, { description: 'Oldest first.' }),
})
export type StoredTrace = Static<typeof StoredTrace>

export const TraceSummary = named('TraceSummary', 'A trace in the list.', {
  ...computedTraceFields,
  inputPreview: Nullable(Type.String({ description: 'How the JSON text of its input begins.' })),
  outputPreview: Nullable(Type.String({ description: 'How the JSON text of its output begins.' })),
  logCount: Type.Integer({ description: 'How many logs it has.' }),
})
export type TraceSummary = Static<typeof TraceSummary>

/** What lists of traces can be sorted by. */
export const traceSorts = ['start', 'received', 'duration', 'cost', 'tokens', 'errors'] as const

/** What an export of traces may be written as. */
export const traceFormats = ['jsonl', 'csv', 'parquet'] as const

const Text = (description: string) => Type.Optional(Type.String({ description }))

export const traceFilters = {
  featureSlug: Text('Traces of this feature.'),
  experimentId: Text('Traces of this experiment.'),
  promptSlug: Text('Traces with a log that used this prompt.'),
  promptVersion: Text('Traces with a log that was served this version.'),
  userId: Text('Traces of this user.'),
  organizationId: Text('Traces of this organization.'),
  type: Type.Optional(Type.Enum([...logTypes], { description: 'Traces with a log of this type.' })),
  name: Text('Traces of exactly this name.'),
  model: Text('Traces with a log that used this model.'),
  hasError: Type.Optional(Type.Boolean({ description: 'Traces with, or without, a failed log.' })),
  sampled: Type.Optional(Type.Boolean({ description: 'Traces that were, or were not, drawn to be judged.' })),
  minCost: Type.Optional(Type.Number({ description: 'Traces that cost at least this, in US dollars.' })),
  minDurationMs: Type.Optional(
    Type.Number({ description: 'Traces that took at least this long, in milliseconds.' }),
  ),
  provider: Text('Traces with a log of a model that this provider served.'),
  sessionId: Text('Traces of this session.'),
  maxCost: Type.Optional(Type.Number({ description: 'Traces that cost at most this, in US dollars.' })),
  maxDurationMs: Type.Optional(
    Type.Number({ description: 'Traces that took at most this long, in milliseconds.' }),
  ),
  minTokens: Type.Optional(Type.Number({ description: 'Traces of at least so many tokens, in and out.' })),
  maxTokens: Type.Optional(Type.Number({ description: 'Traces of at most so many tokens, in and out.' })),
  where: Text(
    'A JSON array of further conditions, such as [{"field":"model","not":["gpt-4o"]},{"field":"score.accuracy","max":0.5}]. Each has a field and any of is, not (lists of texts), min, max (numbers, inclusive) and exists. Fields: trace (its id), feature, experiment, user, organization, session, name, model, provider, type, prompt, promptVersion, evaluator (one that it or a log of it refers to), cost, durationMs, tokens, inputTokens, outputTokens, errors, logs, score, score.NAME, metadata.KEY.',
  ),
  receivedFrom: QueryInstant('Traces that arrived at this instant or later.'),
  from: QueryInstant('Traces that start at this instant or later.'),
  to: QueryInstant('Traces that start before this instant.'),
}

/** `metadata.KEY=VALUE`: KEY is taken literally, dots included. */
export const metadataFilterPrefix = 'metadata.'

const metadataFilters = {
  patternProperties: {
    '^metadata\\..': {
      type: 'string',
      description: 'Traces whose metadata has this key with this value, as text.',
    },
  },
}

export const q = Text(
  'Traces in which, or in a log of which, all these words occur; "quoted words" occur as a phrase.',
)

export const list = operation({
  name: 'traces.list',
  method: 'GET',
  path: '/monitor/traces',
  summary:
    'Lists traces, the latest start first unless `sort` says otherwise. Several filters together narrow the list.',
  notes: [
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
          description: 'What to sort by; `start` by default. What is unknown comes below everything.',
        }),
      ),
      order: Type.Optional(Type.Enum(['desc', 'asc'], { description: '`desc` by default.' })),
      limit: Limit('Page size; 50 by default.'),
      cursor: Cursor,
    },
    metadataFilters,
  ),
  success: 200,
  output: Type.Object({ traces: Type.Array(TraceSummary), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'traces.get',
  method: 'GET',
  path: '/monitor/traces/{id}',
  summary:
    'One trace with every field sent, what was computed, its logs and its scores, and what was made of its being drawn.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the trace.' }) }),
  success: 200,
  output: Type.Object({
    trace: StoredTrace,
    evaluations: Type.Array(Evaluation, {
      description: 'The latest 100 of it, the last changed first. Those that ended are kept for seven days.',
    }),
  }),
  errors: ['trace_not_found'],
})

export const facets = operation({
  name: 'traces.facets',
  method: 'GET',
  path: '/monitor/traces/facets',
  summary:
    'The values that the traces of a list have, the most frequent first, with how many traces have each.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      fields: Text(
        'Comma-separated: feature, experiment, user, organization, session, name, model, provider, type, prompt, promptVersion, hasError, score (names of scores), metadata (its keys), metadata.KEY; by default feature, model, type, name, prompt, hasError, score and metadata.',
      ),
      prefix: Text('Only values that begin with this, in any case.'),
      limit: Limit('Most values of a field; 20 by default.'),
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
            count: Type.Integer({ description: 'How many traces have it.' }),
          }),
        ),
      }),
      { description: 'In the order asked for.' },
    ),
  }),
  errors: ['invalid_request'],
})

export const histogram = operation({
  name: 'traces.histogram',
  method: 'GET',
  path: '/monitor/traces/histogram',
  summary:
    'The traces of a list over time, by their start, in stretches of one width; those without a trace too.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      buckets: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, description: 'Most stretches wanted; 60 by default.' }),
      ),
    },
    metadataFilters,
  ),
  success: 200,
  output: Type.Object({
    widthMs: Type.Integer({ description: 'Of every stretch; 0 where there is none.' }),
    buckets: Type.Array(
      Type.Object({
        time: Instant('Start of the stretch.'),
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
  rank: Nullable(Type.Number({ description: 'Share of the traces that have no more, 0 to 1.' })),
  p50: Nullable(Type.Number()),
  p95: Nullable(Type.Number()),
  p99: Nullable(Type.Number()),
})

export const percentiles = operation({
  name: 'traces.percentiles',
  method: 'GET',
  path: '/monitor/traces/{id}/percentiles',
  summary: 'Where a trace stands among those of its feature that started in the 30 days before it.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the trace.' }) }),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'How many it is compared with, itself among them.' }),
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
    'The traces of the list as a file, streamed. JSONL has whole traces as `traces.get` answers them; CSV and Parquet have a row for each trace, without its logs. An answer that breaks off was cut off: it has no proper end.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object(
    {
      ...traceFilters,
      q,
      format: Type.Enum([...traceFormats], { description: 'What the file is.' }),
    },
    metadataFilters,
  ),
  success: 200,
  output: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  errors: ['invalid_request'],
})

export { exportTraces as export }
