/** Recording: what applications send. */
import { type Static, type TProperties, Type } from 'typebox'
import { evaluatorReferencesMax, logsMax } from '../interface/limits.ts'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  AnyJson,
  EvaluatorReference,
  ExperimentReference,
  FreeObject,
  NamedObject,
  OptionalTimestamp,
  Organization,
  PromptReference,
  schemaName,
  TextOrJson,
  User,
  Variable,
  Warning,
} from '../interface/shapes.ts'
import { recordedLogInputs, recordedTraceInputs } from './recorded-fields.ts'
import { plainLogTypes } from './trace-fields.ts'

/** Old clients send `{}` for an absent value. */
const orEmpty = <const Fields extends TProperties>(shape: ReturnType<typeof NamedObject<Fields>>) =>
  Type.Optional(
    Type.Unsafe<Static<typeof shape> | Record<string, never> | null>({
      anyOf: [shape, Type.Object({}, { maxProperties: 0 }), Type.Null()],
    }),
  )

/** Old clients send a plain string for a variable without a value. */
const Variables = Absentable(
  Type.Array(Type.Unsafe<Variable | string>({ anyOf: [Variable, { type: 'string' }] }), {
    description: 'Variables used in the prompt. A plain string is a label without a value.',
  }),
)

const Evaluators = Absentable(
  Type.Array(EvaluatorReference, {
    maxItems: evaluatorReferencesMax,
    description: 'Evaluators that judge it; at most 1,000.',
  }),
)

const commonLogFields = {
  id: Type.String({ description: 'Unique identifier of the log within its trace.' }),
  name: Absentable(Type.String({ description: 'Name of the log.' })),
  startTime: OptionalTimestamp('Start of the log.'),
  endTime: OptionalTimestamp('End of the log.'),
  metadata: Absentable(
    FreeObject('Additional data about the log. `error` (string or object) marks a failed log.'),
  ),
  parentId: Absentable(Type.String({ description: 'Id of the parent log, for nesting.' })),
  input: TextOrJson('Input of the log.'),
  output: TextOrJson('Output of the log.'),
  idealOutput: TextOrJson('Expected output; used by some evaluators.'),
  evaluators: Evaluators,
}

const generationFields = {
  inputTokens: Absentable(Type.Number({ description: 'Input tokens; counted from the input when absent.' })),
  outputTokens: Absentable(
    Type.Number({ description: 'Output tokens; counted from the output when absent.' }),
  ),
  cost: Absentable(Type.Number({ description: 'Cost in US dollars; computed from the tokens when absent.' })),
  ...recordedLogInputs,
  variables: Variables,
  prompt: Absentable(PromptReference),
}

export const PlainLog = NamedObject('PlainLog', 'A step of a trace other than a generation.', {
  type: Type.Enum([...plainLogTypes], { description: 'Kind of step.' }),
  ...commonLogFields,
})

export const Generation = NamedObject('Generation', 'A call to a language model.', {
  type: Type.Enum(['generation'], { description: 'A call to a language model.' }),
  ...commonLogFields,
  ...generationFields,
})

/** One unit in a trace, nested by `parentId`. */
export const Log = Type.Unsafe<Static<typeof PlainLog> | Static<typeof Generation>>({
  [schemaName]: 'Log',
  description: 'One unit in a trace, nested by `parentId`; `type` selects the shape.',
  type: 'object',
  required: ['id', 'type'],
  discriminator: { propertyName: 'type' },
  oneOf: [PlainLog, Generation],
})
export type Log = Static<typeof Log>

const EvaluationConfig = Type.Object(
  {
    sampleRate: Absentable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Fraction of traces to evaluate; computed from the evaluators when absent.',
      }),
    ),
    sample_rate: Absentable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Spelling used by old clients; `sampleRate` takes precedence.',
      }),
    ),
  },
  { [schemaName]: 'EvaluationConfig', description: 'How to evaluate the trace.' },
)

export const Trace = NamedObject('Trace', 'One run of an application.', {
  name: Absentable(Type.String({ description: 'Name of the trace.' })),
  featureSlug: Type.Optional(Type.String({ description: 'Slug of the feature the trace belongs to.' })),
  chainSlug: Type.Optional(
    Type.String({ description: 'Deprecated; use `featureSlug`, which takes precedence.', deprecated: true }),
  ),
  input: TextOrJson('Input of the trace.'),
  output: TextOrJson('Output of the trace.'),
  idealOutput: TextOrJson('Expected output; used by some evaluators.'),
  metadata: Absentable(FreeObject('Additional data attached to the trace.')),
  organization: orEmpty(Organization),
  user: orEmpty(User),
  ...recordedTraceInputs,
  startTime: OptionalTimestamp(
    'Start of the trace; when absent, the earliest start of a log, else the time of arrival.',
  ),
  endTime: OptionalTimestamp('End of the trace; when absent, the latest end of a log, if any.'),
  experiment: orEmpty(ExperimentReference),
  logs: Absentable(
    Type.Array(Log, { maxItems: logsMax, description: 'Logs of the trace, in any order; at most 50,000.' }),
  ),
  evaluators: Evaluators,
  evaluationConfig: Absentable(EvaluationConfig),
})
export type Trace = Static<typeof Trace>

const TraceId = Type.Object({ id: Type.String({ format: 'uuid', description: 'Id of the trace (UUIDv7).' }) })

export const trace = operation({
  name: 'monitor.trace',
  method: 'POST',
  path: '/monitor/trace',
  summary: 'Records a trace with its logs. After a 200 the trace is durable, and `traces.get` returns it.',
  notes: ['`{}` as `user`, `organization` or `experiment` counts as absent.'],
  scope: 'ingest',
  isRecording: true,
  role: 'editor',
  audit: 'recording',
  input: Trace,
  ignoresUnknownQuery: true,
  success: 200,
  output: Type.Object({ trace: TraceId, warning: Warning }),
  errors: ['invalid_request', 'feature_not_found', 'experiment_not_found', 'idempotency_conflict'],
})

export const SingleLog = NamedObject('SingleLog', 'The output of one prompt.', {
  slug: Type.String({ description: 'Slug of the prompt.' }),
  output: AnyJson('Output of the prompt.'),
  name: Absentable(Type.String({ description: 'Name of the trace; the slug of the prompt when absent.' })),
  version: Absentable(Type.String({ description: 'Prompt version.' })),
  tag: Absentable(Type.String({ description: 'Prompt tag.' })),
  input: TextOrJson('Input of the prompt; rendered from the template and the variables when absent.'),
  idealOutput: TextOrJson('Expected output.'),
  variables: Variables,
  startTime: OptionalTimestamp('Start of the generation.'),
  endTime: OptionalTimestamp('End of the generation.'),
  inputTokens: generationFields.inputTokens,
  outputTokens: generationFields.outputTokens,
  cost: generationFields.cost,
  ...recordedLogInputs,
  organization: orEmpty(Organization),
  user: orEmpty(User),
  ...recordedTraceInputs,
  metadata: Absentable(FreeObject('Additional data attached to the trace.')),
})
export type SingleLog = Static<typeof SingleLog>

export const log = operation({
  name: 'monitor.log',
  method: 'POST',
  path: '/monitor/log',
  summary: 'Records one prompt output, as a trace with one generation.',
  notes: ['`{}` as `user` or `organization` counts as absent.'],
  scope: 'ingest',
  isRecording: true,
  role: 'editor',
  audit: 'recording',
  input: SingleLog,
  ignoresUnknownQuery: true,
  success: 200,
  output: Type.Object({
    trace: TraceId,
    log: Type.Object({ id: Type.String({ format: 'uuid', description: 'Id of the generation (UUIDv7).' }) }),
    warning: Warning,
  }),
  errors: ['invalid_request', 'idempotency_conflict'],
})
