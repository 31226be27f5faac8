import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Cursor, Instant, Limit, NextCursor, Nullable, named } from './shapes.ts'

export const Experiment = named('Experiment', 'A set of traces to compare with another.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  featureSlug: Type.String({ description: 'The feature that is tried.' }),
  createdAt: Instant('When it was created.'),
})
export type Experiment = Static<typeof Experiment>

export const list = operation({
  name: 'experiments.list',
  method: 'GET',
  path: '/monitor/experiments',
  summary: 'Lists the experiments, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    featureSlug: Type.Optional(Type.String({ description: 'Only the experiments of this feature.' })),
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ experiments: Type.Array(Experiment), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'experiments.get',
  method: 'GET',
  path: '/monitor/experiments/{id}',
  summary: 'One experiment.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the experiment.' }) }),
  success: 200,
  output: Type.Object({ experiment: Experiment }),
  errors: ['experiment_not_found'],
})

export const create = operation({
  name: 'experiments.create',
  method: 'POST',
  path: '/monitor/experiments',
  summary: 'Creates an experiment; traces name it to be appended to it.',
  scope: 'ingest',
  role: 'editor',
  input: Type.Object({
    featureSlug: Type.String({ description: 'The feature that is tried.' }),
    name: Type.String({ minLength: 1, description: 'Name of the experiment.' }),
  }),
  success: 200,
  output: Experiment,
  errors: ['invalid_request', 'feature_not_found'],
})

export const update = operation({
  name: 'experiments.update',
  method: 'PATCH',
  path: '/monitor/experiments/{id}',
  summary: 'Renames an experiment.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: Type.String({ description: 'Id of the experiment.' }),
    name: Type.String({ minLength: 1, description: 'Its new name.' }),
  }),
  success: 200,
  output: Type.Object({ experiment: Experiment }),
  errors: ['invalid_request', 'experiment_not_found'],
})

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'experiments.delete',
  method: 'DELETE',
  path: '/monitor/experiments/{id}',
  summary: 'Deletes an experiment. Its traces stay.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: Type.String({ description: 'Id of the experiment.' }) }),
  success: 204,
  output: null,
  errors: ['experiment_not_found'],
})

export { remove as delete }

export const attach = operation({
  name: 'experiments.attach',
  method: 'POST',
  path: '/monitor/experiments/{id}/traces',
  summary:
    'Lets traces that are there join an experiment, where they are always judged. A trace belongs to one experiment: one of another stays there.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: Type.String({ description: 'Id of the experiment.' }),
    traceIds: Type.Array(Type.String(), { minItems: 1, maxItems: 1000, description: '1 to 1000 traces.' }),
  }),
  success: 200,
  output: Type.Object({
    attached: Type.Integer({ description: 'How many have joined.' }),
    existing: Type.Integer({ description: 'How many were in it already.' }),
    elsewhere: Type.Array(Type.String(), { description: 'Those that stay in another experiment.' }),
  }),
  errors: ['invalid_request', 'experiment_not_found', 'trace_not_found'],
})

export const judging = operation({
  name: 'experiments.judging',
  method: 'GET',
  path: '/monitor/experiments/{id}/judging',
  summary: 'How far an experiment is: what of it still runs, and what is still to be judged.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the experiment.' }) }),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'Those that are stored.' }),
    underWay: Type.Integer({ description: 'Cases of its run that wait, run, or are not stored yet.' }),
    waiting: Type.Integer({ description: 'Judgements of whole traces that wait or are being made.' }),
    judged: Type.Integer({ description: 'Judgements that ended, skipped ones among them.' }),
    failed: Type.Integer({ description: 'Judgements that were given up.' }),
    hasEnded: Type.Boolean({ description: 'Whether nothing more is to come.' }),
  }),
  errors: ['experiment_not_found'],
})

const Numbers = (description: string) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description,
  })

export const MeasureComparison = named('MeasureComparison', 'One measure of all experiments compared.', {
  name: Type.String({ description: '`score.NAME`, `cost`, `durationMs` or `tokens`.' }),
  lowerIsBetter: Type.Boolean(),
  experiments: Type.Array(
    Type.Object({
      id: Type.String(),
      count: Type.Integer({ description: 'Cases that have it.' }),
      mean: Nullable(Type.Number()),
      pairs: Type.Optional(Type.Integer({ description: 'Cases that have it here and in the baseline.' })),
      meanDelta: Type.Optional(
        Nullable(Type.Number({ description: 'Mean of the differences to the baseline.' })),
      ),
      low: Type.Optional(
        Nullable(
          Type.Number({ description: 'Where the 95 % interval of `meanDelta` begins (paired bootstrap).' }),
        ),
      ),
      high: Type.Optional(Nullable(Type.Number({ description: 'Where it ends.' }))),
      better: Type.Optional(Type.Integer({ description: 'Cases that are better than in the baseline.' })),
      worse: Type.Optional(Type.Integer({ description: 'Cases that are worse.' })),
      pValue: Type.Optional(
        Type.Number({
          description: 'Of the two-sided sign test; for booleans it is the exact test of McNemar.',
        }),
      ),
    }),
    { description: 'In the order asked for; the fields from `pairs` on are not those of the baseline.' },
  ),
})
export type MeasureComparison = Static<typeof MeasureComparison>

export const ComparedCase = named('ComparedCase', 'One case with what each experiment made of it.', {
  key: Type.String({ description: 'What its traces have in common.' }),
  datasetRowId: Type.Optional(
    Type.String({ description: 'The row of a dataset, where the traces name one.' }),
  ),
  isRegression: Type.Boolean({
    description: 'Whether a score is worse than in the baseline, or it fails only here.',
  }),
  input: Nullable(Type.String({ description: 'How its JSON text begins: 20,000 characters.' })),
  idealOutput: Nullable(Type.String({ description: 'How its JSON text begins.' })),
  cells: Type.Array(
    Type.Object({
      experimentId: Type.String(),
      traceIds: Type.Array(Type.String(), {
        description: 'Several where the case ran again; the latest first.',
      }),
      output: Nullable(Type.String({ description: 'How the JSON text of the latest begins.' })),
      errors: Type.Integer({ description: 'Traces with a failed log.' }),
      values: Numbers('Measures by name, means where the case ran again.'),
      spreads: Numbers('Standard deviations of the measures where the case ran again.'),
      categories: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Scores that are texts, of the latest trace.',
      }),
      deltas: Numbers('Values less those of the baseline; empty for the baseline.'),
    }),
    { description: 'One for each experiment, in the order asked for.' },
  ),
})
export type ComparedCase = Static<typeof ComparedCase>

export const compare = operation({
  name: 'experiments.compare',
  method: 'GET',
  path: '/monitor/experiments/compare',
  summary:
    'Compares experiments case by case with a baseline, regressions first. A case is the traces with one `metadata.datasetRowId`, else one `metadata.dataset` and `metadata.row`, else one input.',
  notes: [
    'A trace states its row of a dataset as `metadata.datasetRowId` (the id of the row), or as `metadata.dataset` and `metadata.row` (slug and position), as the `experiment` of the client writes them. Traces without these are matched by equal inputs.',
    'Only whole traces are compared: scores of single logs are not among the measures.',
    'A score that is text is not a measure. A boolean counts as 1 or 0. A case that ran several times counts once, with its mean.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    ids: Type.String({ description: '2 to 8 ids of experiments, comma-separated.' }),
    baseline: Type.Optional(Type.String({ description: 'One of the ids; the first by default.' })),
    lowerIsBetter: Type.Optional(
      Type.String({ description: 'Names of scores, comma-separated, of which less is better.' }),
    ),
    only: Type.Optional(Type.Enum(['regressions'], { description: 'Only these cases.' })),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    experiments: Type.Array(Experiment, { description: 'In the order asked for.' }),
    baselineId: Type.String(),
    measures: Type.Array(MeasureComparison),
    caseCount: Type.Integer({ description: 'Of all pages.' }),
    regressionCount: Type.Integer({ description: 'Of all pages.' }),
    gaps: Type.Array(
      Type.Object({
        id: Type.String(),
        missing: Type.Integer({ description: 'Cases of the baseline that it has no trace of.' }),
        failing: Type.Integer({ description: 'Cases with a trace that has a failed log.' }),
      }),
      { description: 'What each experiment lacks, in the order asked for.' },
    ),
    isWhole: Type.Boolean({
      description: 'False where an experiment has more than 20,000 traces: the latest count.',
    }),
    cases: Type.Array(ComparedCase),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request', 'experiment_not_found'],
})
