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
    kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, a person, or the name of a rule.' }),
    config: FreeObject('Configuration of the kind, such as `{value}` for `contains`.'),
    sampleRate: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Sampling rate: the fraction that it judges of the traces naming it, unless they set their own.',
    }),
    liveRule: Nullable(LiveRule),
    version: Type.Integer({
      description:
        'Version of its kind and configuration: 1, 2, 3 … Each score records the version that gave it.',
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
    'It judges the traces and logs that name it. With a `liveRule`, it also judges those that match the rule. A trace is matched once, when it has settled, and again if its texts change. Filters on scores see the scores that exist at that time.',
    'A regular expression, including one in a JSON schema, may take 100 ms for a text. If it takes longer, the evaluation reports this and there is no score.',
  ],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: Slug('Slug of the evaluator.'),
    name: Type.String({ minLength: 1, description: 'Name of the evaluator.' }),
    kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, a person, or the name of a rule.' }),
    config: FreeObject('Configuration of the kind, such as `{value}` for `contains`.'),
    sampleRate: Absentable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: `Sampling rate: the fraction that it judges of the traces naming it; ${defaultSampleRate} by default.`,
      }),
    ),
    liveRule: Absentable(LiveRule),
  }),
  success: 201,
  output: Type.Object({ evaluator: Evaluator }),
  errors: ['invalid_request', 'already_exists'],
})

/** The parts of a trace that a template uses. */
const templateNeeds = ['input', 'output', 'idealOutput', 'context'] as const

export const EvaluatorTemplate = NamedObject('EvaluatorTemplate', 'A ready-made evaluator.', {
  slug: Type.String(),
  name: Type.String(),
  description: Type.String({ description: 'What it judges.' }),
  kind: Type.Enum([...evaluatorKinds]),
  config: FreeObject('Complete configuration, except for `connectionId` and `model` of `llm` evaluators.'),
  needs: Type.Array(Type.Enum([...templateNeeds]), {
    description: 'Parts that a trace must have to be judged; `context` is the output of retrievals.',
  }),
  version: Type.Integer({ description: 'Version of its texts and configuration.' }),
  isTaken: Type.Boolean({ description: 'Whether an evaluator in the workspace already has its slug.' }),
})
export type EvaluatorTemplate = Static<typeof EvaluatorTemplate>

export const templates = operation({
  name: 'evaluators.templates',
  method: 'GET',
  path: '/evaluator-templates',
  summary: 'Lists ready-made evaluators to start from.',
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
  summary: 'Changes an evaluator. Changing the kind or the configuration creates a new version.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: EvaluatorSlug,
    name: Absentable(Type.String({ minLength: 1, description: 'Its new name.' })),
    kind: Absentable(Type.Enum([...evaluatorKinds], { description: 'A model, code, a person, or a rule.' })),
    config: Absentable(FreeObject('Its new configuration, complete.')),
    sampleRate: Absentable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'New sampling rate: the fraction that it judges of the traces naming it, from now on.',
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
  config: FreeObject('Its configuration. Sending it to `evaluators.update` makes it current again.'),
  createdAt: Instant('When it became the latest.'),
  createdBy: Type.Optional(Type.String({ description: 'Id of the API key or person, if known.' })),
  createdByName: Type.Optional(Type.String({ description: 'Name of that key or person, if known.' })),
  scores: Type.Integer({ description: 'Number of scores it has given.' }),
  isCurrent: Type.Boolean({ description: 'Whether it is the current version.' }),
})
export type EvaluatorVersion = Static<typeof EvaluatorVersion>

export const versions = operation({
  name: 'evaluators.versions',
  method: 'GET',
  path: '/evaluators/{slug}/versions',
  summary:
    'Lists the versions of an evaluator, newest first, with the number of scores that each one has given.',
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
    eligible: Type.Integer({ description: 'Number of traces that refer to the evaluator.' }),
    drawn: Type.Integer({ description: 'Number of those that are judged.' }),
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
    'Returns how many of the traces that refer to an evaluator were sampled, grouped by what decided it, with the configured rate. It covers the last 7 days unless the request sets a range.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    slug: EvaluatorSlug,
    from: QueryInstant('Traces that start at this instant or later.'),
    to: QueryInstant('Traces that start before this instant.'),
  }),
  success: 200,
  output: Type.Object({
    eligible: Type.Integer({ description: 'Number of traces that refer to the evaluator.' }),
    drawn: Type.Integer({ description: 'Number of those that are judged.' }),
    groups: Type.Array(SamplingGroup, { description: 'The largest first, at most 100.' }),
  }),
  errors: ['invalid_request', 'evaluator_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'evaluators.delete',
  method: 'DELETE',
  path: '/evaluators/{slug}',
  summary: 'Deletes an evaluator. Its scores and the traces stay.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: EvaluatorSlug }),
  success: 204,
  output: null,
  errors: ['evaluator_not_found'],
})

export { remove as delete }

export const DryRun = NamedObject('DryRun', 'The verdict that an evaluator would give on a trace.', {
  traceId: Type.String({ format: 'uuid' }),
  value: Nullable(
    Type.Unsafe<boolean | number | string>({
      type: ['boolean', 'number', 'string'],
      description: 'The score; null if there is none.',
    }),
  ),
  comment: Type.String({ description: 'The reason.' }),
  cost: Type.Optional(
    Nullable(
      Type.Number({ description: 'US dollars for the call to the model that judged; null when unknown.' }),
    ),
  ),
})
export type DryRun = Static<typeof DryRun>

export const test = operation({
  name: 'evaluators.test',
  method: 'POST',
  path: '/evaluators/test',
  summary:
    'Tests an evaluator on recorded traces before it is saved. Nothing is stored. Calls to a model that judges cost what the provider charges. `human` evaluators cannot be tested.',
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object({
    kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, or the name of a rule.' }),
    config: FreeObject(
      'Configuration of the kind, as described in `docs/evaluation.md`; most rules accept `of` (`output`, `input`, `idealOutput` or `metadata`) and a `path` into it.',
    ),
    traceIds: Absentable(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 50,
        description: 'The traces to judge: 1 to 50; the latest 20 when absent.',
      }),
    ),
    featureSlug: Absentable(Type.String({ description: 'Judges the latest traces of this feature.' })),
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
    'The cost of a judgement is the mean of the latest scores of the evaluator `slug`. If there are none, the prompt is rendered for a few of the traces, and its tokens are counted and priced, assuming a response of 150 tokens.',
  ],
  scope: 'manage',
  role: 'editor',
  audit: 'nothing lasting',
  input: Type.Object({
    kind: Type.Enum([...evaluatorKinds], { description: 'A model, code, or the name of a rule.' }),
    config: FreeObject('Configuration of the kind.'),
    liveRule: LiveRule,
    slug: Absentable(Type.String({ description: 'Slug of the evaluator, if it exists.' })),
  }),
  success: 200,
  output: Type.Object({
    from: Instant('Start of the 24 hours.'),
    to: Instant('End of the 24 hours.'),
    matching: Type.Integer({ description: 'Number of matching traces that started during that time.' }),
    judged: Type.Integer({
      description:
        'Number of traces, logs or sessions that it would have judged; a session counts each time it went quiet.',
    }),
    costPerJudgement: Nullable(
      Type.Number({ description: 'US dollars; 0 if no model is called, null when unknown.' }),
    ),
    cost: Nullable(Type.Number({ description: 'US dollars for all; null when unknown.' })),
    basis: Type.Enum(['scores', 'traces', 'free', 'unknown'], {
      description:
        'Basis of the estimate: the latest `scores` of the evaluator, prompts rendered for some `traces`, no model (`free`), or nothing (`unknown`).',
    }),
  }),
  errors: ['invalid_request', 'connection_not_found'],
})
