import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  FreeObject,
  Instant,
  NamedObject,
  Nullable,
  QueryInstant,
  Slug,
} from '../interface/shapes.ts'
import { SampledBy } from '../traces/stored-trace.ts'
import { LiveRule } from './live-rules.ts'
import { defaultSampleRate } from './sample-rate.ts'

export const evaluatorKinds = [
  'llm',
  'code',
  'human',
  'equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'regex',
  'json_valid',
  'json_schema',
  'range',
  'length',
  'latency',
  'cost',
  'similarity',
  'embedding_similarity',
  'rouge_l',
  'bleu',
  'language',
  'pii',
  'secrets',
  'tool_calls',
] as const

export const Evaluator = NamedObject(
  'Evaluator',
  'A model, code, rule or person that judges traces and logs.',
  {
    slug: Type.String(),
    name: Type.String(),
    kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, a person, or a rule by its name.' }),
    config: FreeObject('What the kind needs, such as `{value}` for `contains`.'),
    sampleRate: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Fraction that it judges of the traces that name it, unless they set another.',
    }),
    liveRule: Nullable(LiveRule),
    version: Type.Integer({
      description: 'Version of kind and configuration: 1, 2, 3 … A score states the version that gave it.',
    }),
    createdAt: Instant('When it was created.'),
  },
)
export type Evaluator = Static<typeof Evaluator>

export const list = operation({
  name: 'evaluators.list',
  method: 'GET',
  path: '/evaluators',
  summary: 'Lists all evaluators.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ evaluators: Type.Array(Evaluator) }),
  errors: [],
})

export const create = operation({
  name: 'evaluators.create',
  method: 'POST',
  path: '/evaluators',
  summary: 'Creates an evaluator.',
  notes: [
    'It judges the traces and logs that name it. With a `liveRule` it also judges whatever matches, named or not: a trace is matched when it has settled, once, and again when its texts change. A filter on scores sees those that are there by then.',
    'A regular expression, also one in a JSON schema, has 100 ms for a text. If it takes longer, the evaluator gives no score and the evaluation says so.',
  ],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: Slug('Slug of the evaluator.'),
    name: Type.String({ minLength: 1, description: 'Name of the evaluator.' }),
    kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, a person, or a rule by its name.' }),
    config: FreeObject('What the kind needs, such as `{value}` for `contains`.'),
    sampleRate: Absentable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: `Fraction that it judges of the traces that name it; ${defaultSampleRate} by default.`,
      }),
    ),
    liveRule: Absentable(LiveRule),
  }),
  success: 201,
  output: Type.Object({ evaluator: Evaluator }),
  errors: ['invalid_request', 'already_exists'],
})

/** Parts of a trace that a template looks at. */
const templateNeeds = ['input', 'output', 'idealOutput', 'context'] as const

export const EvaluatorTemplate = NamedObject('EvaluatorTemplate', 'An evaluator ready to use.', {
  slug: Type.String(),
  name: Type.String(),
  description: Type.String({ description: 'What it judges.' }),
  kind: Type.Enum([...evaluatorKinds]),
  config: FreeObject('Complete, except for `connectionId` and `model` of the kind `llm`.'),
  needs: Type.Array(Type.Enum([...templateNeeds]), {
    description: 'What a trace must have to be judged; `context` is the output of retrievals.',
  }),
  version: Type.Integer({ description: 'Of what it says and asks.' }),
  isTaken: Type.Boolean({ description: 'Whether an evaluator of the workspace has its slug.' }),
})
export type EvaluatorTemplate = Static<typeof EvaluatorTemplate>

export const templates = operation({
  name: 'evaluators.templates',
  method: 'GET',
  path: '/evaluator-templates',
  summary: 'Lists evaluator templates that are ready to use.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ templates: Type.Array(EvaluatorTemplate) }),
  errors: [],
})

const EvaluatorSlug = Type.String({ description: 'Slug of the evaluator.' })

export const get = operation({
  name: 'evaluators.get',
  method: 'GET',
  path: '/evaluators/{slug}',
  summary: 'Returns one evaluator.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ slug: EvaluatorSlug }),
  success: 200,
  output: Type.Object({ evaluator: Evaluator }),
  errors: ['evaluator_not_found'],
})

export const update = operation({
  name: 'evaluators.update',
  method: 'PATCH',
  path: '/evaluators/{slug}',
  summary: 'Changes an evaluator. A change of the kind or the configuration creates a new version.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: EvaluatorSlug,
    name: Absentable(Type.String({ minLength: 1, description: 'Its new name.' })),
    kind: Absentable(Type.Enum([...evaluatorKinds], { description: 'A model, code, a person, or a rule.' })),
    config: Absentable(FreeObject('All of its new configuration.')),
    sampleRate: Absentable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Fraction that it judges from now on of the traces that name it.',
      }),
    ),
    liveRule: Type.Optional(Nullable(LiveRule)),
  }),
  success: 200,
  output: Type.Object({ evaluator: Evaluator }),
  errors: ['invalid_request', 'evaluator_not_found'],
})

export const EvaluatorVersion = NamedObject('EvaluatorVersion', 'One version of an evaluator.', {
  version: Type.Integer({ description: '1, 2, 3 …' }),
  kind: Type.Enum([...evaluatorKinds]),
  config: FreeObject('As `evaluators.update` accepts it, which makes it the latest again.'),
  createdAt: Instant('When it became the latest.'),
  createdBy: Type.Optional(Type.String({ description: 'Id of the API key or person; only when known.' })),
  createdByName: Type.Optional(Type.String({ description: 'The name; only when known.' })),
  scores: Type.Integer({ description: 'How many scores it has given.' }),
  isCurrent: Type.Boolean({ description: 'Whether it is the current version.' }),
})
export type EvaluatorVersion = Static<typeof EvaluatorVersion>

export const versions = operation({
  name: 'evaluators.versions',
  method: 'GET',
  path: '/evaluators/{slug}/versions',
  summary: 'Lists the versions of an evaluator, newest first, with the number of scores that each has given.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ slug: EvaluatorSlug }),
  success: 200,
  output: Type.Object({ versions: Type.Array(EvaluatorVersion) }),
  errors: ['evaluator_not_found'],
})

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

export const SamplingGroup = NamedObject(
  'SamplingGroup',
  'Traces with the same sampling decision and the same rate.',
  {
    sampledBy: Nullable(SampledBy),
    rate: Nullable(Share('The sampling rate; null if the client sampled.')),
    eligible: Type.Integer({ description: 'How many refer to the evaluator.' }),
    drawn: Type.Integer({ description: 'How many of those are judged.' }),
    share: Share('drawn / eligible.'),
    low: Share("Lower end of Wilson's 99.9 % interval of the true fraction."),
    high: Share('Upper end of that interval.'),
    isAsExpected: Nullable(
      Type.Boolean({ description: 'Whether the rate is within the interval; null if there is no rate.' }),
    ),
  },
)
export type SamplingGroup = Static<typeof SamplingGroup>

export const sampling = operation({
  name: 'evaluators.sampling',
  method: 'GET',
  path: '/evaluators/{slug}/sampling',
  summary:
    'Returns how many of the traces that refer to an evaluator were sampled, by what decided it, beside the configured rate. It covers the last 7 days unless the request sets another range.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: EvaluatorSlug,
    from: QueryInstant('Traces that start at this instant or later.'),
    to: QueryInstant('Traces that start before this instant.'),
  }),
  success: 200,
  output: Type.Object({
    eligible: Type.Integer({ description: 'How many traces refer to the evaluator.' }),
    drawn: Type.Integer({ description: 'How many of those are judged.' }),
    groups: Type.Array(SamplingGroup, { description: 'The largest first, 100 at most.' }),
  }),
  errors: ['invalid_request', 'evaluator_not_found'],
})

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'evaluators.delete',
  method: 'DELETE',
  path: '/evaluators/{slug}',
  summary: 'Deletes an evaluator. Its scores and their traces stay.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: EvaluatorSlug }),
  success: 204,
  output: null,
  errors: ['evaluator_not_found'],
})

export { remove as delete }

export const DryRun = NamedObject('DryRun', 'The verdict that an evaluator would give of a trace.', {
  traceId: Type.String({ format: 'uuid' }),
  value: Nullable(
    Type.Unsafe<boolean | number | string>({
      type: ['boolean', 'number', 'string'],
      description: 'The score; null if it cannot judge.',
    }),
  ),
  comment: Type.String({ description: 'The reason.' }),
  cost: Type.Optional(
    Nullable(Type.Number({ description: 'US dollars for a model that judged; null when unknown.' })),
  ),
})
export type DryRun = Static<typeof DryRun>

export const test = operation({
  name: 'evaluators.test',
  method: 'POST',
  path: '/evaluators/test',
  summary:
    'Tests an evaluator on recorded traces before it is saved. Nothing is stored. A model that judges costs what its provider charges. Evaluators of the kind `human` cannot be tested.',
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object({
    kind: Type.Enum([...evaluatorKinds], { description: 'A rule by its name.' }),
    config: FreeObject(
      'What the kind needs, as `docs/evaluation.md` has it for each; most rules take `of` (`output`, `input`, `idealOutput` or `metadata`) and `path` into it.',
    ),
    traceIds: Absentable(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 50,
        description: '1 to 50 traces; the latest 20 when absent.',
      }),
    ),
    featureSlug: Absentable(Type.String({ description: 'The latest traces of this feature.' })),
  }),
  success: 200,
  output: Type.Object({ results: Type.Array(DryRun) }),
  errors: ['invalid_request', 'trace_not_found', 'connection_not_found'],
})

export const estimate = operation({
  name: 'evaluators.estimate',
  method: 'POST',
  path: '/evaluators/estimate',
  summary:
    'Estimates a live rule before it is saved: how much of the last 24 hours it would have judged, and what that would have cost. Nothing is judged.',
  notes: [
    'The cost of a judgement is the mean of the latest scores of the evaluator `slug`. Without any, the prompt is rendered for a few of the traces, and its tokens are counted and priced; the response is taken for 150 tokens.',
  ],
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object({
    kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, or a rule by its name.' }),
    config: FreeObject('What the kind needs.'),
    liveRule: LiveRule,
    slug: Absentable(Type.String({ description: 'Slug of the evaluator, if it exists.' })),
  }),
  success: 200,
  output: Type.Object({
    from: Instant('Start of the 24 hours.'),
    to: Instant('Their end.'),
    matching: Type.Integer({ description: 'How many traces match, by their start.' }),
    judged: Type.Integer({
      description:
        'How many traces, logs or sessions of those it would have judged; a session once for each time it was quiet.',
    }),
    costPerJudgement: Nullable(
      Type.Number({ description: 'US dollars; 0 without a call of a model, null when unknown.' }),
    ),
    cost: Nullable(Type.Number({ description: 'US dollars for all; null when unknown.' })),
    basis: Type.Enum(['scores', 'traces', 'free', 'unknown'], {
      description:
        'What the cost is from: the latest `scores` of the evaluator, prompts rendered for some `traces`, no model (`free`), or nothing.',
    }),
  }),
  errors: ['invalid_request', 'connection_not_found'],
})
