import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Cursor, Instant, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'

export const Experiment = NamedObject('Experiment', 'A set of traces to compare with other sets.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  featureSlug: Type.String({ description: 'The feature under test.' }),
  createdAt: Instant('When it was created.'),
})
export type Experiment = Static<typeof Experiment>

export const list = operation({
  name: 'experiments.list',
  method: 'GET',
  path: '/monitor/experiments',
  summary: 'Lists experiments, newest first.',
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
  summary: 'Returns one experiment.',
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
  summary: 'Creates an experiment. Traces that refer to its id are added to it.',
  scope: 'ingest',
  editsWorkspace: true,
  role: 'editor',
  input: Type.Object({
    featureSlug: Type.String({ description: 'The feature under test.' }),
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

/** Exported as `delete`, a reserved word. */
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
    'Adds recorded traces to an experiment, where they are always evaluated. A trace belongs to one experiment, so traces that are already in another stay there.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: Type.String({ description: 'Id of the experiment.' }),
    traceIds: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1000,
      description: 'The traces to add: 1 to 1000.',
    }),
  }),
  success: 200,
  output: Type.Object({
    attached: Type.Integer({ description: 'Number of traces added.' }),
    existing: Type.Integer({ description: 'Number of traces that it already had.' }),
    elsewhere: Type.Array(Type.String(), { description: 'Traces that stay in another experiment.' }),
  }),
  errors: ['invalid_request', 'experiment_not_found', 'trace_not_found'],
})

export const judging = operation({
  name: 'experiments.judging',
  method: 'GET',
  path: '/monitor/experiments/{id}/judging',
  summary: 'Returns the progress of an experiment: its running cases and its pending evaluations.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Type.String({ description: 'Id of the experiment.' }) }),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'Number of stored traces.' }),
    underWay: Type.Integer({ description: 'Cases of its run that are waiting, running or not stored yet.' }),
    waiting: Type.Integer({ description: 'Evaluations of whole traces that are waiting or running.' }),
    judged: Type.Integer({ description: 'Evaluations that ended, including skipped ones.' }),
    failed: Type.Integer({ description: 'Evaluations that failed.' }),
    hasEnded: Type.Boolean({ description: 'Whether the experiment is complete.' }),
  }),
  errors: ['experiment_not_found'],
})

const Numbers = (description: string) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description,
  })

export const MeasureComparison = NamedObject(
  'MeasureComparison',
  'One measure of all experiments compared.',
  {
    name: Type.String({ description: '`score.NAME`, `cost`, `durationMs` or `tokens`.' }),
    lowerIsBetter: Type.Boolean(),
    experiments: Type.Array(
      Type.Object({
        id: Type.String(),
        count: Type.Integer({ description: 'Cases with the measure.' }),
        mean: Nullable(Type.Number()),
        pairs: Type.Optional(
          Type.Integer({ description: 'Cases with the measure here and in the baseline.' }),
        ),
        unmeasured: Type.Optional(
          Type.Integer({
            description: 'Cases that ran here without the measure, although the baseline has it for them.',
          }),
        ),
        baselineMean: Type.Optional(
          Nullable(Type.Number({ description: 'Mean of the baseline over the cases of `meanDelta`.' })),
        ),
        meanDelta: Type.Optional(
          Nullable(Type.Number({ description: 'Mean of the differences from the baseline.' })),
        ),
        low: Type.Optional(
          Nullable(
            Type.Number({
              description:
                "Lower end of the 95 % interval of `meanDelta`: Student's t, or Agresti and Min if all values are 0 or 1. Null if unknown: for a single pair, or if all differences are equal.",
            }),
          ),
        ),
        high: Type.Optional(Nullable(Type.Number({ description: 'Upper end of that interval.' }))),
        better: Type.Optional(Type.Integer({ description: 'Cases that are better than in the baseline.' })),
        worse: Type.Optional(Type.Integer({ description: 'Cases that are worse.' })),
        pValue: Type.Optional(
          Type.Number({
            description: "p-value of the two-sided sign test, which for booleans is McNemar's exact test.",
          }),
        ),
        pMean: Type.Optional(
          Type.Number({
            description: 'p-value of the two-sided sign-flip test of `meanDelta`, uncorrected.',
          }),
        ),
        pCorrected: Type.Optional(
          Type.Number({
            description:
              'The same with Holm correction for the number of tests in this comparison: measures times experiments.',
          }),
        ),
        verdict: Type.Optional(
          Type.Enum(['better', 'worse', 'unclear', 'too_few'], {
            description:
              '`better` or `worse` if `pCorrected` is below 0.05, so that at most 5 % of comparisons of equal experiments have any such verdict; `too_few` if there are too few pairs for any result to reach that.',
          }),
        ),
        casesNeeded: Type.Optional(
          Type.Integer({ description: 'With `too_few`: the minimum number of additional pairs needed.' }),
        ),
        detectable: Type.Optional(
          Nullable(
            Type.Number({
              description:
                'The smallest mean difference that this comparison detects with a probability of 80 %. Null if the spread is unknown.',
            }),
          ),
        ),
      }),
      { description: 'In the order of the request. The baseline lacks `pairs` and the fields after it.' },
    ),
  },
)
export type MeasureComparison = Static<typeof MeasureComparison>

export const ComparedCase = NamedObject('ComparedCase', 'One case, with its results in each experiment.', {
  key: Type.String({ description: 'Key that its traces share.' }),
  datasetRowId: Type.Optional(Type.String({ description: 'The dataset row, if the traces name one.' })),
  isRegression: Type.Boolean({
    description: 'Whether a score is worse than in the baseline, or the case fails only here.',
  }),
  input: Nullable(Type.String({ description: 'The first 20,000 characters of its JSON text.' })),
  idealOutput: Nullable(Type.String({ description: 'Beginning of its JSON text.' })),
  cells: Type.Array(
    Type.Object({
      experimentId: Type.String(),
      traceIds: Type.Array(Type.String(), {
        description: 'More than one if the case ran several times; newest first.',
      }),
      output: Nullable(Type.String({ description: 'Beginning of the JSON text of the latest.' })),
      errors: Type.Integer({ description: 'Traces with a failed log.' }),
      values: Numbers('Measures by name; means if the case ran several times.'),
      spreads: Numbers('Standard deviations of the measures, if the case ran several times.'),
      categories: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Text scores of the latest trace.',
      }),
      deltas: Numbers('Differences from the baseline; empty for the baseline.'),
    }),
    { description: 'One for each experiment, in the order of the request.' },
  ),
})
export type ComparedCase = Static<typeof ComparedCase>

export const ComparedDataset = NamedObject('ComparedDataset', 'A dataset that an experiment ran on.', {
  id: Type.String({ description: 'Id of the experiment.' }),
  datasetSlug: Type.String(),
  datasetVersion: Nullable(Type.Integer({ description: 'Null if unknown.' })),
  split: Nullable(Type.String({ description: 'The split of its rows; null for any.' })),
  label: Nullable(Type.String({ description: 'The label of its rows; null for any.' })),
})
export type ComparedDataset = Static<typeof ComparedDataset>

export const compare = operation({
  name: 'experiments.compare',
  method: 'GET',
  path: '/monitor/experiments/compare',
  summary:
    'Compares experiments with a baseline, case by case, regressions first. The traces of a case share `metadata.datasetRowId`, else `metadata.dataset` and `metadata.row`, else their input.',
  notes: [
    "`metadata.datasetRowId` is the id of a row, as written by runs and by the clients' `experiment`; `metadata.dataset` and `metadata.row` are the slug of its dataset and its position, and `metadata.datasetVersion` is the version.",
    'Only whole traces are compared: scores of single logs are not among the measures.',
    'Text scores are not measures. Booleans count as 1 or 0. A case that ran several times counts once, with its mean.',
  ],
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    ids: Type.String({ description: '2 to 8 ids of experiments, comma-separated.' }),
    baseline: Type.Optional(Type.String({ description: 'One of the ids; the first by default.' })),
    lowerIsBetter: Type.Optional(
      Type.String({ description: 'Names of scores for which lower is better, comma-separated.' }),
    ),
    only: Type.Optional(Type.Enum(['regressions'], { description: 'Only these cases.' })),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    experiments: Type.Array(Experiment, { description: 'In the order of the request.' }),
    datasets: Type.Array(ComparedDataset, {
      description: 'The datasets that the experiments ran on, as far as their runs or traces name them.',
    }),
    baselineId: Type.String(),
    measures: Type.Array(MeasureComparison),
    caseCount: Type.Integer({ description: 'Number of cases on all pages.' }),
    regressionCount: Type.Integer({ description: 'Number of regressions on all pages.' }),
    gaps: Type.Array(
      Type.Object({
        id: Type.String(),
        missing: Type.Integer({ description: 'Cases of the baseline without a trace here.' }),
        failing: Type.Integer({ description: 'Cases with a trace that has a failed log.' }),
      }),
      { description: 'Missing and failing cases of each experiment, in the order of the request.' },
    ),
    isWhole: Type.Boolean({
      description: 'False if an experiment has more than 20,000 traces, of which only the latest count.',
    }),
    cases: Type.Array(ComparedCase),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request', 'experiment_not_found'],
})
