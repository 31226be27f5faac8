/** Runs of experiments: a prompt version or an endpoint over the rows of a dataset, in the background. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Absentable, Cursor, Instant, Limit, NextCursor, Nullable, named } from './shapes.ts'

export const experimentRunStates = ['running', 'done', 'cancelled'] as const
export const experimentCaseStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** A comparison holds so many traces of an experiment. */
export const experimentCasesMax = 20_000

const PromptTarget = named('PromptTarget', 'A version of a prompt, run with a model.', {
  type: Type.Enum(['prompt']),
  slug: Type.String({ description: 'Slug of the prompt.' }),
  version: Type.String({
    minLength: 1,
    description: 'The version; columns of the dataset are its variables.',
  }),
  connectionId: Type.String({ description: 'Id of the LLM connection that is asked.' }),
  model: Absentable(
    Type.String({ minLength: 1, description: 'The model; that of the version when absent.' }),
  ),
})

const timeoutMs = Absentable(
  Type.Integer({
    minimum: 100,
    maximum: 600_000,
    description: 'How long an answer is waited for; 60000 by default.',
  }),
)

const EndpointTarget = named('EndpointTarget', 'An address that runs a case.', {
  type: Type.Enum(['endpoint']),
  url: Type.String({
    maxLength: 2000,
    description:
      'Where each case is posted as JSON: `input`, `variables`, `datasetRowId` and `runId`, with a `traceparent`.',
  }),
  headers: Absentable(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 50,
      propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
      additionalProperties: { type: 'string', maxLength: 10_000 },
      description: 'Headers to send. They are stored encrypted, and their values are never given back.',
    }),
  ),
  timeoutMs,
})

export const ExperimentTarget = Type.Unsafe<Static<typeof PromptTarget> | Static<typeof EndpointTarget>>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [PromptTarget, EndpointTarget],
  description: 'What is run.',
})
export type ExperimentTarget = Static<typeof ExperimentTarget>

export const ExperimentRun = named(
  'ExperimentRun',
  'A run of a prompt version or an endpoint over a dataset.',
  {
    id: Type.String({ format: 'uuid' }),
    experimentId: Type.String({ format: 'uuid', description: 'The experiment whose traces it makes.' }),
    datasetSlug: Type.String(),
    target: ExperimentTarget,
    evaluatorSlugs: Type.Array(Type.String()),
    repetitions: Type.Integer(),
    concurrency: Type.Integer(),
    spendMax: Nullable(Type.Number({ description: 'US dollars.' })),
    rowCount: Type.Integer({ description: 'Rows of the dataset, as they were when it began.' }),
    status: Type.Enum([...experimentRunStates], {
      description: '`done` has no case left that waits; some may have failed.',
    }),
    counts: Type.Object({
      waiting: Type.Integer(),
      running: Type.Integer(),
      done: Type.Integer(),
      failed: Type.Integer(),
      cancelled: Type.Integer(),
    }),
    cost: Type.Number({ description: 'US dollars, as far as it is known.' }),
    problem: Nullable(Type.String({ description: 'What holds it up; null where nothing does.' })),
    until: Nullable(Instant('When it is looked at again, while something holds it up.')),
    createdAt: Instant('When it was started.'),
    endedAt: Nullable(Instant('When its last case ended, or it was cancelled.')),
  },
)
export type ExperimentRun = Static<typeof ExperimentRun>

export const ExperimentCase = named('ExperimentCase', 'One repetition of one row in a run.', {
  datasetRowId: Type.String(),
  row: Type.Integer({ description: 'Place of the row in the run, from 0.' }),
  repetition: Type.Integer({ description: 'From 0.' }),
  status: Type.Enum([...experimentCaseStates]),
  attempts: Type.Integer({ description: 'How often it was tried.' }),
  problem: Nullable(Type.String({ description: 'Why it has failed, or waits to be tried again.' })),
  traceId: Nullable(Type.String({ description: 'Once it is done.' })),
  cost: Nullable(Type.Number({ description: 'US dollars; null when unknown.' })),
  durationMs: Nullable(Type.Number({ description: 'Of the last try.' })),
  dueAt: Nullable(Instant('When it may be tried, while it waits.')),
  changedAt: Instant('When its status changed.'),
})
export type ExperimentCase = Static<typeof ExperimentCase>

const Id = Type.String({ description: 'Id of the run.' })

export const list = operation({
  name: 'experimentRuns.list',
  method: 'GET',
  path: '/experiment-runs',
  summary: 'Lists runs of experiments, the newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    experimentId: Type.Optional(Type.String({ description: 'Only that of this experiment.' })),
    status: Type.Optional(Type.Enum([...experimentRunStates], { description: 'Only those of this status.' })),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ runs: Type.Array(ExperimentRun), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'experimentRuns.get',
  method: 'GET',
  path: '/experiment-runs/{id}',
  summary: 'One run, with how far it is.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Id }),
  success: 200,
  output: Type.Object({ run: ExperimentRun }),
  errors: ['run_not_found'],
})

export const create = operation({
  name: 'experimentRuns.create',
  method: 'POST',
  path: '/experiment-runs',
  summary:
    'Makes an experiment of a dataset and runs it in the background. The rows are taken as they are now; each case is recorded as a trace of the experiment, and judged.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    datasetSlug: Type.String({ description: 'Slug of the dataset.' }),
    rowIds: Absentable(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: experimentCasesMax,
        description: 'Only these rows; all when absent.',
      }),
    ),
    target: ExperimentTarget,
    evaluatorSlugs: Absentable(
      Type.Array(Type.String(), { maxItems: 50, description: 'Evaluators that judge each trace.' }),
    ),
    repetitions: Absentable(
      Type.Integer({ minimum: 1, maximum: 20, description: 'How often each row is run; 1 by default.' }),
    ),
    concurrency: Absentable(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: 'Cases at a time, within what the connection allows; 8 by default.',
      }),
    ),
    spendMax: Absentable(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'US dollars; once they are spent, cases that wait have failed.',
      }),
    ),
    name: Absentable(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'Name of the experiment; made of the target and the dataset when absent.',
      }),
    ),
    featureSlug: Absentable(
      Type.String({ description: 'The feature that is tried; that of the prompt when absent.' }),
    ),
  }),
  success: 201,
  output: Type.Object({ run: ExperimentRun }),
  errors: [
    'invalid_request',
    'dataset_not_found',
    'row_not_found',
    'prompt_not_found',
    'version_not_found',
    'connection_not_found',
    'evaluator_not_found',
    'feature_not_found',
  ],
})

export const cancel = operation({
  name: 'experimentRuns.cancel',
  method: 'POST',
  path: '/experiment-runs/{id}/cancel',
  summary: 'Begins no more cases of a run; those under way still end.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: Id }),
  success: 200,
  output: Type.Object({ run: ExperimentRun }),
  errors: ['run_not_found'],
})

export const retry = operation({
  name: 'experimentRuns.retry',
  method: 'POST',
  path: '/experiment-runs/{id}/retry',
  summary: 'Runs again what has failed or was cancelled, and nothing else.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: Id,
    spendMax: Absentable(
      Type.Number({ exclusiveMinimum: 0, description: 'US dollars, in all; as before when absent.' }),
    ),
  }),
  success: 200,
  output: Type.Object({
    run: ExperimentRun,
    retried: Type.Integer({ description: 'How many cases wait again.' }),
  }),
  errors: ['invalid_request', 'run_not_found'],
})

export const cases = operation({
  name: 'experimentRuns.cases',
  method: 'GET',
  path: '/experiment-runs/{id}/cases',
  summary: 'The cases of a run, in the order of its rows.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: Id,
    status: Type.Optional(
      Type.Enum([...experimentCaseStates], { description: 'Only those of this status.' }),
    ),
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ cases: Type.Array(ExperimentCase), nextCursor: NextCursor }),
  errors: ['invalid_request', 'run_not_found'],
})
