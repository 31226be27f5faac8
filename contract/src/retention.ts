/** How long the workspace keeps what was recorded. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Absentable, named, Slug } from './shapes.ts'

/** The longest retention, in days: a hundred years. */
const daysMax = 36_500

const Days = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: daysMax, description })

const FeatureRule = Type.Object({
  featureSlug: Slug('Slug of the feature.'),
  days: Days('Days to keep its traces, whatever the workspace says; null keeps them forever.'),
})

const rules = {
  days: Days('Days to keep traces with their logs and scores; null keeps them forever.'),
  features: Type.Array(FeatureRule, { maxItems: 200, description: 'Rules of single features.' }),
  ledgerSampleDays: Days('Days to keep samples of rejected records; null keeps them forever.'),
  fileDays: Days(
    'Days to keep files that no row of a dataset or of an experiment run refers to; null keeps them forever.',
  ),
}

export const WorkspaceRetention = named(
  'WorkspaceRetention',
  'How long the workspace keeps what was recorded.',
  rules,
)
export type WorkspaceRetention = Static<typeof WorkspaceRetention>

export const get = operation({
  name: 'retention.get',
  method: 'GET',
  path: '/retention',
  summary: 'Returns how many days the workspace keeps what was recorded.',
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
  ledgerSampleDays: Type.Optional(rules.ledgerSampleDays),
  fileDays: Type.Optional(rules.fileDays),
}

export const preview = operation({
  name: 'retention.preview',
  method: 'POST',
  path: '/retention/preview',
  summary:
    'Counts what the rules would delete now if they were changed like this, and how old the traces are. Changes nothing.',
  scope: 'manage',
  role: 'admin',
  audit: 'nothing lasting',
  input: Type.Object(change),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'Traces that would be deleted.' }),
    logs: Type.Integer(),
    scores: Type.Integer(),
    ledgerSamples: Type.Integer(),
    files: Type.Integer(),
    ages: Type.Array(
      Type.Object({
        olderThanDays: Type.Integer(),
        traces: Type.Integer({ description: 'Traces that arrived more than so many days ago.' }),
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
    'Changes how many days the workspace keeps what was recorded. Fields that are absent stay as they are. What has expired is deleted every night.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object(change),
  success: 200,
  output: WorkspaceRetention,
  errors: ['invalid_request'],
})
