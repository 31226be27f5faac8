/** Runs of experiments: a prompt version or an endpoint over the rows of a dataset, in the background. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Instant, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'

export const experimentRunStates = ['running', 'done', 'cancelled'] as const
export const experimentCaseStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** The number of traces of an experiment that a comparison can hold. */
export const experimentCasesMax = 20_000

const PromptTarget = NamedObject('PromptTarget', 'A version of a prompt, run with a model.', {
  type: Type.Enum(['prompt']),
  slug: Type.String({ description: 'Slug of the prompt.' }),
  version: Type.String({
    minLength: 1,
    description: 'The version; columns of the dataset are its variables.',
  }),
  connectionId: Type.String({ description: 'Id of the LLM connection to use.' }),
  model: Absentable(
    Type.String({ minLength: 1, description: 'The model; that of the version when absent.' }),
  ),
})

const timeoutMs = Absentable(
  Type.Integer({
    minimum: 100,
    maximum: 600_000,
    description: 'Timeout of a response; 60000 by default.',
  }),
)

const EndpointTarget = NamedObject('EndpointTarget', 'An endpoint that runs the cases.', {
  type: Type.Enum(['endpoint']),
  url: Type.String({
    maxLength: 2000,
    description:
      'URL to which each case is posted as JSON: `input`, `variables`, `datasetRowId` and `runId`, with a `traceparent`.',
  }),
  headers: Absentable(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 50,
      propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
      additionalProperties: { type: 'string', maxLength: 10_000 },
      description: 'Headers to send. They are stored encrypted, and their values are never returned.',
    }),
  ),
  timeoutMs,
})

export const ExperimentTarget = Type.Unsafe<Static<typeof PromptTarget> | Static<typeof EndpointTarget>>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [PromptTarget, EndpointTarget],
  description: 'What to run.',
})
export type ExperimentTarget = Static<typeof ExperimentTarget>

export const ExperimentRun = NamedObject(
  'ExperimentRun',
  'A run of a prompt version or an endpoint over a dataset.',
  {
    id: Type.String({ format: 'uuid' }),
    experimentId: Type.String({ format: 'uuid', description: 'The experiment that its traces belong to.' }),
    datasetSlug: Type.String(),
    datasetVersion: Nullable(
      Type.Integer({
        description: 'The dataset version that it runs on; null for runs that predate versions.',
      }),
    ),
    split: Nullable(Type.String({ description: 'The split of its rows; null for any.' })),
    label: Nullable(Type.String({ description: 'The label of its rows; null for any.' })),
    target: ExperimentTarget,
    evaluatorSlugs: Type.Array(Type.String()),
    repetitions: Type.Integer(),
    concurrency: Type.Integer(),
    spendMax: Nullable(Type.Number({ description: 'Budget in US dollars.' })),
    rowCount: Type.Integer({ description: 'Number of rows when the run was created.' }),
    status: Type.Enum([...experimentRunStates], {
      description: '`done`: no case is waiting; some may have failed.',
    }),
    counts: Type.Object({
      waiting: Type.Integer(),
      running: Type.Integer(),
      done: Type.Integer(),
      failed: Type.Integer(),
      cancelled: Type.Integer(),
    }),
    cost: Type.Number({ description: 'US dollars, as far as known.' }),
    problem: Nullable(Type.String({ description: 'What blocks it; null if nothing does.' })),
    until: Nullable(Instant('While it is blocked, when the service checks it again.')),
    createdAt: Instant('When it was started.'),
    endedAt: Nullable(Instant('When its last case ended or it was cancelled.')),
  },
)
export type ExperimentRun = Static<typeof ExperimentRun>

export const ExperimentCase = NamedObject('ExperimentCase', 'One repetition of one row in a run.', {
  datasetRowId: Type.String(),
  row: Type.Integer({ description: 'Position of the row in the dataset version, from 0.' }),
  repetition: Type.Integer({ description: 'From 0.' }),
  status: Type.Enum([...experimentCaseStates]),
  attempts: Type.Integer({ description: 'Number of attempts.' }),
  problem: Nullable(Type.String({ description: 'Why it failed or is waiting for a retry.' })),
  traceId: Nullable(Type.String({ description: 'Present once it is done.' })),
  cost: Nullable(Type.Number({ description: 'US dollars; null when unknown.' })),
  durationMs: Nullable(Type.Number({ description: 'Duration of the last attempt.' })),
  dueAt: Nullable(Instant('While it waits, the time of the next attempt.')),
  changedAt: Instant('When its status last changed.'),
})
export type ExperimentCase = Static<typeof ExperimentCase>

const Id = Type.String({ description: 'Id of the run.' })

export const list = operation({
  name: 'experimentRuns.list',
  method: 'GET',
  path: '/experiment-runs',
  summary: 'Lists runs of experiments, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    experimentId: Type.Optional(Type.String({ description: 'Only the run of this experiment.' })),
    status: Type.Optional(
      Type.Enum([...experimentRunStates], { description: 'Only those with this status.' }),
    ),
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
  summary: 'Returns one run with its progress.',
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
    'Creates an experiment and runs it over a dataset version in the background. Each case is recorded as a trace of the experiment and evaluated.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    datasetSlug: Type.String({ description: 'Slug of the dataset.' }),
    rowIds: Absentable(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: experimentCasesMax,
        description: 'Only these rows; all rows when absent.',
      }),
    ),
    datasetVersion: Absentable(
      Type.Integer({
        minimum: 1,
        description:
          'Dataset version to run on. When absent, the rows as they are now, which become a version unless they already are one.',
      }),
    ),
    split: Absentable(Type.String({ description: 'Only rows in this split.' })),
    label: Absentable(Type.String({ description: 'Only rows with this label.' })),
    target: ExperimentTarget,
    evaluatorSlugs: Absentable(
      Type.Array(Type.String(), { maxItems: 50, description: 'Evaluators that judge each trace.' }),
    ),
    repetitions: Absentable(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: 'Number of times each row is run; 1 by default.',
      }),
    ),
    concurrency: Absentable(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description: 'Number of cases that run at a time, within the limit of the connection; 8 by default.',
      }),
    ),
    spendMax: Absentable(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Budget in US dollars. Once it is spent, waiting cases fail.',
      }),
    ),
    name: Absentable(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'Name of the experiment; derived from the target and the dataset when absent.',
      }),
    ),
    featureSlug: Absentable(
      Type.String({ description: 'The feature under test; that of the prompt when absent.' }),
    ),
  }),
  success: 201,
  output: Type.Object({ run: ExperimentRun }),
  errors: [
    'invalid_request',
    'dataset_not_found',
    'dataset_version_not_found',
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
  summary: 'Cancels a run: no more cases start, and running cases finish.',
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
  summary: 'Retries only the failed and cancelled cases of a run.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: Id,
    spendMax: Absentable(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Budget in US dollars, in total; unchanged when absent.',
      }),
    ),
  }),
  success: 200,
  output: Type.Object({
    run: ExperimentRun,
    retried: Type.Integer({ description: 'Number of cases queued again.' }),
  }),
  errors: ['invalid_request', 'run_not_found'],
})

export const cases = operation({
  name: 'experimentRuns.cases',
  method: 'GET',
  path: '/experiment-runs/{id}/cases',
  summary: 'Lists the cases of a run, in the order of its rows.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: Id,
    status: Type.Optional(
      Type.Enum([...experimentCaseStates], { description: 'Only those with this status.' }),
    ),
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ cases: Type.Array(ExperimentCase), nextCursor: NextCursor }),
  errors: ['invalid_request', 'run_not_found'],
})
