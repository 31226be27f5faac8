/** Traces as they are read: all fields as sent, and those that the service computed. */
import { type Static, Type } from 'typebox'
import { Score } from '../evaluate/scores.ts'
import {
  Absentable,
  AnyJson,
  EvaluatorReference,
  FreeObject,
  Instant,
  NamedObject,
  Nullable,
  Organization,
  type TextOrJson,
  User,
  Variable,
} from '../interface/shapes.ts'
import { recordedLogOutputs, recordedTraceOutputs } from './recorded-fields.ts'
import { logTypes } from './trace-fields.ts'

/** Every field is present when a trace is read: null if it was neither sent nor computed. */
const Value = (description: string) =>
  Type.Unsafe<TextOrJson>({ type: ['string', 'object', 'array', 'null'], description })
const NullableInstant = (description: string) => Nullable(Instant(description))
const References = Nullable(Type.Array(EvaluatorReference))
const Metadata = Nullable(FreeObject('As sent.'))

export const Totals = NamedObject('Totals', 'Sums over the logs of a trace; each usage counts once.', {
  inputTokens: Type.Number(),
  outputTokens: Type.Number(),
  cost: Type.Union([Type.Number(), Type.Null()], { description: 'US dollars; null when no log has a cost.' }),
  durationMs: Type.Union([Type.Number(), Type.Null()], {
    description: 'End minus start; null without an end.',
  }),
  errors: Type.Integer({ description: 'Number of failed logs.' }),
  models: Type.Array(Type.String(), { description: 'Models used.' }),
  tokensEstimated: Type.Boolean({
    description: 'Whether the sums include tokens that the service counted itself.',
  }),
  unpriced: Type.Optional(
    Type.Integer({
      description:
        'Number of generations without a cost, which the sum does not include; failed calls without known tokens do not count. Present where the logs are returned too.',
    }),
  ),
  estimated: Type.Optional(
    Type.Integer({
      description:
        'Number of generations whose tokens the service counted itself. Present where the logs are returned too.',
    }),
  ),
})
export type Totals = Static<typeof Totals>

export const CostInTotals = Type.Optional(
  Nullable(
    Type.Number({
      description:
        'US dollars that the log adds to the cost of the trace: the estimate of the service if 0 was sent, 0 if a log around or below it reports the cost, null if it adds none.',
    }),
  ),
)

/** The tokens of a bucket that only few calls have. */
const OtherTokens = (description: string) =>
  Type.Optional(Type.Number({ description: `${description} Absent when there are none.` }))

const Usage = NamedObject('Usage', 'Tokens of a generation in disjoint buckets.', {
  freshInput: Type.Number({ description: 'Text input tokens not served from a cache.' }),
  cacheRead: Type.Number({ description: 'Input tokens read from a cache.' }),
  cacheWrite: Type.Number({ description: 'Input tokens written to a cache.' }),
  textOutput: Type.Number({ description: 'Output tokens other than reasoning.' }),
  reasoning: Type.Number({ description: 'Reasoning tokens.' }),
  audioInput: OtherTokens('Audio input tokens not served from a cache.'),
  imageInput: OtherTokens('Image input tokens not served from a cache.'),
  cacheReadAudio: OtherTokens('Audio input tokens read from a cache.'),
  cacheReadImage: OtherTokens('Image input tokens read from a cache.'),
  cacheWriteHour: OtherTokens('Input tokens written to a cache that lasts an hour.'),
  audioOutput: OtherTokens('Audio output tokens.'),
  imageOutput: OtherTokens('Image output tokens.'),
})

export const StoredLog = NamedObject(
  'StoredLog',
  'A stored log. Only generations, and other logs from spans that report tokens, a cost or a model, have `variables` and the fields after it.',
  {
    id: Type.String({ description: 'The id that the client chose.' }),
    type: Type.Enum([...logTypes]),
    name: Nullable(Type.String()),
    parentId: Nullable(Type.String()),
    startTime: NullableInstant('Start of the log.'),
    endTime: NullableInstant('End of the log.'),
    metadata: Metadata,
    input: Value('As sent; rendered from the template if it was absent.'),
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
              Type.String({ description: 'As sent; the version served if it was absent.' }),
            ),
            tag: Absentable(Type.String({ description: 'As sent.' })),
          },
          { description: 'The prompt used.' },
        ),
      ),
    ),
    promptVersion: Type.Optional(
      Nullable(Type.String({ description: 'The version that was used; null if there was none.' })),
    ),
    model: Type.Optional(
      Nullable(
        Type.String({
          description:
            'Model of the call: `metadata.model`, or the one that its span reports; else that of the prompt version.',
        }),
      ),
    ),
    provider: Type.Optional(
      Nullable(
        Type.String({
          description:
            'Provider of the call: `metadata.provider`, or the one that its span reports; else that of the prompt version, if the model comes from there.',
        }),
      ),
    ),
    inputTokens: Type.Optional(
      Nullable(Type.Number({ description: 'As sent, else from `metadata.usage`, else counted.' })),
    ),
    outputTokens: Type.Optional(
      Nullable(Type.Number({ description: 'As sent, else from `metadata.usage`, else counted.' })),
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
          description: 'The estimate of the service in US dollars, even if the client sent a cost.',
        }),
      ),
    ),
    costDetail: Type.Optional(
      Nullable(
        FreeObject(
          'How the estimate was made: tokens times price per bucket, with the price list and its date.',
        ),
      ),
    ),
    countsInTotals: Type.Optional(
      Type.Boolean({
        description: 'False if another log reports the same tokens, so that totals count those instead.',
      }),
    ),
    costInTotals: CostInTotals,
  },
)
export type StoredLog = Static<typeof StoredLog>

/** What can decide whether evaluators judge a trace. */
const samplingDeciders = ['experiment', 'trace', 'evaluator', 'default', 'client'] as const

export const SampledBy = NamedObject('SampledBy', 'What decided whether evaluators judge a trace.', {
  type: Type.Enum([...samplingDeciders], {
    description:
      '`experiment`: traces of experiments are always judged. `trace`: its `evaluationConfig`. `evaluator`: the highest default rate of the evaluators that it refers to. `default`: none of those evaluators exists. `client`: the OpenTelemetry client did the sampling.',
  }),
  evaluatorSlug: Nullable(
    Type.String({ description: 'The evaluator whose default rate applied, for the type `evaluator`.' }),
  ),
})
export type SampledBy = Static<typeof SampledBy>

const computedTraceFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String({
    description: 'As sent; if it was absent, the feature slug, the name of the first root log, or "trace".',
  }),
  featureSlug: Nullable(Type.String({ description: 'The feature it belongs to.' })),
  startTime: Instant('As sent; if it was absent, the earliest start of a log or the time of arrival.'),
  endTime: NullableInstant('As sent; if it was absent, the latest end of a log.'),
  receivedAt: Instant('When the service received it.'),
  organization: Nullable(Organization),
  user: Nullable(User),
  ...recordedTraceOutputs,
  experiment: Nullable(Type.Object({ id: Type.String() })),
  totals: Totals,
  sampled: Type.Boolean({
    description:
      'Whether the evaluators that it and its logs name judge it. Live rules match traces after they are stored, so their evaluations appear only in `evaluations` of `traces.get`.',
  }),
  sampleRate: Nullable(
    Type.Number({
      description: 'The sampling rate that applied; null if only live rules can judge it.',
    }),
  ),
  sampledBy: Nullable(SampledBy),
  warning: Nullable(
    Type.String({ description: 'The warning in the response to the request that recorded it.' }),
  ),
  metadata: Metadata,
}

/** The fields of a trace other than its logs and scores. */
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
  logCount: Type.Integer({ description: 'Number of logs.' }),
  error: Nullable(
    Type.String({
      description: 'Beginning of the error message of its first failed log; null if none failed.',
    }),
  ),
})
export type TraceSummary = Static<typeof TraceSummary>
