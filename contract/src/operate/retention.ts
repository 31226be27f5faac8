/** How long the workspace keeps recorded data. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, NamedObject, Slug } from '../interface/shapes.ts'

/** The longest retention, in days: a hundred years. */
const daysMax = 36_500

const Days = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: daysMax, description })

const FeatureRule = Type.Object({
  featureSlug: Slug('Slug of the feature.'),
  days: Days('Days to keep its traces, regardless of the workspace setting; null keeps them forever.'),
})

const EnvironmentRule = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 200, description: 'Environment of the traces.' }),
  days: Days('Days to keep its traces, unless their feature has a rule; null keeps them forever.'),
})

const rules = {
  days: Days('Days to keep traces with their logs and scores; null keeps them forever.'),
  features: Type.Array(FeatureRule, { maxItems: 200, description: 'Rules for single features.' }),
  environments: Type.Array(EnvironmentRule, { maxItems: 200, description: 'Rules for single environments.' }),
  ledgerSampleDays: Days('Days to keep samples of rejected records; null keeps them forever.'),
  fileDays: Days(
    'Days to keep files that no row of a dataset or an experiment run refers to; null keeps them forever.',
  ),
  evaluationDays: Days(
    'Days to keep records of completed evaluations; null means 7, and 30 for failed ones.',
  ),
  idempotencyDays: Days(
    'Days to recognize a repeated `Idempotency-Key` and keep its response; null means one day.',
  ),
}

export const WorkspaceRetention = NamedObject(
  'WorkspaceRetention',
  'How long the workspace keeps recorded data.',
  rules,
)
export type WorkspaceRetention = Static<typeof WorkspaceRetention>

export const get = operation({
  name: 'retention.get',
  method: 'GET',
  path: '/retention',
  summary: 'Returns how many days the workspace keeps recorded data.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: WorkspaceRetention,
  errors: [],
})

const change = {
  days: Type.Optional(rules.days),
  features: Absentable(rules.features),
  environments: Absentable(rules.environments),
  ledgerSampleDays: Type.Optional(rules.ledgerSampleDays),
  fileDays: Type.Optional(rules.fileDays),
  evaluationDays: Type.Optional(rules.evaluationDays),
  idempotencyDays: Type.Optional(rules.idempotencyDays),
}

/** What expires in addition to traces. */
const expiringRecords = {
  ledgerSamples: Type.Integer({ description: 'Samples of rejected records.' }),
  files: Type.Integer({ description: 'Files that no row refers to.' }),
  evaluations: Type.Integer({ description: 'Records of completed evaluations.' }),
  idempotentRequests: Type.Integer({ description: 'Requests with an `Idempotency-Key`.' }),
}

export const preview = operation({
  name: 'retention.preview',
  method: 'POST',
  path: '/retention/preview',
  summary: 'Counts what the changed rules would delete now, and all records by age. Changes nothing.',
  scope: 'manage',
  role: 'admin',
  audit: 'nothing lasting',
  input: Type.Object(change),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'Number of traces that would be deleted.' }),
    logs: Type.Integer(),
    scores: Type.Integer(),
    ...expiringRecords,
    ages: Type.Array(
      Type.Object({
        olderThanDays: Type.Integer(),
        traces: Type.Integer({
          description: 'Number of traces that arrived more than `olderThanDays` days ago.',
        }),
        ...expiringRecords,
      }),
    ),
  }),
  errors: ['invalid_request'],
})

export const update = operation({
  name: 'retention.update',
  method: 'PATCH',
  path: '/retention',
  summary:
    'Changes how many days the workspace keeps recorded data. Absent fields stay as they are. Expired data is deleted every night.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object(change),
  success: 200,
  output: WorkspaceRetention,
  errors: ['invalid_request'],
})
