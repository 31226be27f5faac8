/** Rollouts: a tag serves a candidate version to a share of the clients, until it is promoted or rolled back. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Instant, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'

export const rolloutStatuses = ['running', 'promoted', 'rolled_back', 'stopped'] as const

const Status = Type.Enum([...rolloutStatuses], {
  description:
    '`promoted`: the tag moved to the candidate; `rolled_back`: the tag stayed where it was; `stopped`: the tag was moved to another version.',
})

const Share = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Fraction of targeting keys that get the candidate.',
})

const AlertIds = Type.Array(Type.String(), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Alerts that roll it back when they begin to fire.',
})

const who = {
  changedBy: Type.Optional(Type.String({ description: 'Id of the API key or person.' })),
  changedByName: Type.Optional(Type.String({ description: 'Current name of that key or person.' })),
}

export const Rollout = NamedObject('Rollout', 'A version that a tag serves to a percentage of clients.', {
  id: Type.String({
    description: 'Id of the rollout, which is also the seed that selects who gets the candidate.',
  }),
  promptSlug: Type.String(),
  tag: Type.String(),
  baselineVersion: Type.String({ description: 'The version that carries the tag while the rollout runs.' }),
  candidateVersion: Type.String({ description: 'The version under test.' }),
  share: Share,
  shares: Type.Array(
    Type.Object({ share: Type.Number(), changedAt: Instant('When it took effect.'), ...who }),
    { description: 'All fractions so far, newest first.' },
  ),
  status: Status,
  alertIds: AlertIds,
  reason: Type.Optional(Type.String({ description: 'Why it ended.' })),
  createdAt: Instant('When it started.'),
  createdBy: Type.Optional(Type.String({ description: 'Id of the API key or person that started it.' })),
  createdByName: Type.Optional(Type.String({ description: 'Current name of that key or person.' })),
  endedAt: Type.Optional(Instant('When it ended; absent while it runs.')),
  endedBy: Type.Optional(Type.String({ description: 'Id of the API key or person that ended it.' })),
  endedByName: Type.Optional(Type.String({ description: 'Current name of that key or person.' })),
  endedByAlertId: Type.Optional(Type.String({ description: 'The alert that rolled it back.' })),
})
export type Rollout = Static<typeof Rollout>

const id = Type.String({ description: 'Id of the rollout.' })
const Answer = Type.Object({ rollout: Rollout })

export const list = operation({
  name: 'rollouts.list',
  method: 'GET',
  path: '/rollouts',
  summary: 'Lists rollouts, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    promptSlug: Type.Optional(Type.String({ description: 'Only those of this prompt.' })),
    status: Type.Optional(Type.Enum([...rolloutStatuses], { description: 'Only those with this status.' })),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ rollouts: Type.Array(Rollout), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'rollouts.get',
  method: 'GET',
  path: '/rollouts/{id}',
  summary: 'Returns one rollout, running or ended.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id }),
  success: 200,
  output: Answer,
  errors: ['rollout_not_found'],
})

export const create = operation({
  name: 'rollouts.create',
  method: 'POST',
  path: '/rollouts',
  summary:
    'Starts serving a version to a percentage of the clients that request a tag. A tag of a prompt can have one running rollout.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    promptSlug: Type.String({ description: 'Slug of the prompt.' }),
    tag: Absentable(
      Type.String({
        description: 'The tag, which some version must carry; `production` when absent, never `latest`.',
      }),
    ),
    candidateVersion: Type.String({
      description: 'The version to serve, other than the one with the tag.',
    }),
    share: Share,
    alertIds: Absentable(AlertIds),
  }),
  success: 201,
  output: Answer,
  errors: [
    'tag_protected',
    'invalid_request',
    'prompt_not_found',
    'version_not_found',
    'alert_not_found',
    'alert_firing',
    'already_exists',
  ],
})

export const update = operation({
  name: 'rollouts.update',
  method: 'PATCH',
  path: '/rollouts/{id}',
  summary:
    'Changes the percentage of a running rollout, or the alerts that roll it back. Users who get the candidate keep getting it when the percentage rises.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id, share: Absentable(Share), alertIds: Absentable(AlertIds) }),
  success: 200,
  output: Answer,
  errors: [
    'invalid_request',
    'rollout_not_found',
    'alert_not_found',
    'alert_firing',
    'rollout_ended',
    'tag_protected',
  ],
})

export const promote = operation({
  name: 'rollouts.promote',
  method: 'POST',
  path: '/rollouts/{id}/promote',
  summary: 'Ends a rollout and moves the tag to the candidate, as `prompts.publish` does.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id }),
  success: 200,
  output: Answer,
  errors: ['rollout_not_found', 'rollout_ended', 'tag_protected'],
})

export const rollback = operation({
  name: 'rollouts.rollback',
  method: 'POST',
  path: '/rollouts/{id}/rollback',
  summary: 'Ends a rollout and drops the candidate: every client gets the version with the tag again.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id,
    reason: Absentable(Type.String({ maxLength: 1000, description: 'The reason, for the history.' })),
  }),
  success: 200,
  output: Answer,
  errors: ['invalid_request', 'rollout_not_found', 'rollout_ended'],
})

const Interval = {
  low: Nullable(
    Type.Number({ description: 'Lower end of the 95 % interval; null if there is too little data.' }),
  ),
  high: Nullable(Type.Number({ description: 'Upper end of the interval.' })),
}

const Estimate = Nullable(
  Type.Object({
    count: Type.Integer({ description: 'Number of calls with the measure, or number of scores.' }),
    mean: Type.Number(),
    ...Interval,
  }),
)

export const RolloutMeasure = NamedObject('RolloutMeasure', 'One measure of both versions of a rollout.', {
  name: Type.String({ description: '`cost`, `durationMs`, `errorRate`, `tokens` or `score.NAME`.' }),
  isShare: Type.Boolean({ description: 'Whether it is a fraction: of calls, or of `true` among booleans.' }),
  lowerIsBetter: Type.Boolean(),
  baseline: Estimate,
  candidate: Estimate,
  difference: Nullable(
    Type.Object({ value: Type.Number({ description: 'Candidate minus baseline.' }), ...Interval }),
  ),
})
export type RolloutMeasure = Static<typeof RolloutMeasure>

const Variant = Type.Object({
  version: Type.String(),
  calls: Type.Integer({ description: 'Number of logs that used the version.' }),
  traces: Type.Integer({ description: 'Number of traces with such a log.' }),
  users: Type.Integer({
    description: 'Number of users in those traces; a trace without a user counts as one.',
  }),
  p50DurationMs: Nullable(Type.Number()),
  p95DurationMs: Nullable(Type.Number()),
})

export const compare = operation({
  name: 'rollouts.compare',
  method: 'GET',
  path: '/rollouts/{id}/compare',
  summary:
    'Compares baseline and candidate over the traces that started during the rollout: cost, duration, error rate and scores of calls.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id,
    from: Type.Optional(
      Type.String({
        description: 'Only traces from this instant on, such as the last change of the percentage; ISO 8601.',
      }),
    ),
  }),
  success: 200,
  output: Type.Object({
    from: Instant('Start of the compared range.'),
    to: Instant('End of the compared range.'),
    baseline: Variant,
    candidate: Variant,
    measures: Type.Array(RolloutMeasure, { description: 'Measures of calls first, then scores by name.' }),
  }),
  errors: ['invalid_request', 'rollout_not_found'],
})
