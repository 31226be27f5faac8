/** Traces on reading: every field sent, and what the service computed beside it. */
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
        'How many generations have no cost, so that the sum lacks them, without failed calls of which no tokens are known. Present where the logs are read too.',
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

export const CostInTotals = Type.Optional(
  Nullable(
    Type.Number({
      description:
        'US dollars that the log adds to the cost of the trace: the estimate of the service where 0 was sent, 0 where a log around or below it reports the cost, null where it adds none.',
    }),
  ),
)

/** Of a bucket that few calls have. */
const OtherTokens = (description: string) =>
  Type.Optional(Type.Number({ description: `${description} Absent when there are none.` }))

const Usage = NamedObject('Usage', 'Tokens of a generation in disjoint buckets.', {
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
      Nullable(
        Type.String({
          description: 'Of the call: `metadata.model`, or what its span reports; else of the prompt version.',
        }),
      ),
    ),
    provider: Type.Optional(
      Nullable(
        Type.String({
          description:
            'Of the call: `metadata.provider`, or what its span reports; else of the prompt version, if the model is.',
        }),
      ),
    ),
    inputTokens: Type.Optional(
      Nullable(Type.Number({ description: 'As sent, else of `metadata.usage`, else counted.' })),
    ),
    outputTokens: Type.Optional(
      Nullable(Type.Number({ description: 'As sent, else of `metadata.usage`, else counted.' })),
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
      Type.Boolean({ description: 'False if another log carries the tokens, so that totals take those.' }),
    ),
    costInTotals: CostInTotals,
  },
)
export type StoredLog = Static<typeof StoredLog>

/** What may decide whether evaluators judge a trace. */
const samplingDeciders = ['experiment', 'trace', 'evaluator', 'default', 'client'] as const

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
  sampled: Type.Boolean({
    description:
      'Whether the evaluators that it and its logs name judge it. Live rules match traces after they are stored, so what they judge is in `evaluations` of `traces.get` alone.',
  }),
  sampleRate: Nullable(
    Type.Number({
      description: 'The sampling rate that applied; null if nothing but live rules may judge it.',
    }),
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
