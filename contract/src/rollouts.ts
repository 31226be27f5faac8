/** Rollouts: a version of a prompt that a tag serves to a share of those who ask, until it is promoted or rolled back. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Absentable, Cursor, Instant, Limit, NextCursor, Nullable, named } from './shapes.ts'

export const rolloutStatuses = ['running', 'promoted', 'rolled_back', 'stopped'] as const

const Status = Type.Enum([...rolloutStatuses], {
  description:
    '`promoted`: the tag is at the candidate now; `rolled_back`: the tag stayed where it was; `stopped`: somebody moved the tag elsewhere.',
})

const Share = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'To which share of targeting keys the candidate is served.',
})

const AlertIds = Type.Array(Type.String(), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Alerts that roll it back when they begin to fire.',
})

const who = {
  changedBy: Type.Optional(Type.String({ description: 'Id of the API key or person.' })),
  changedByName: Type.Optional(Type.String({ description: 'What that key or person is called now.' })),
}

export const Rollout = named('Rollout', 'A version that a tag serves to a share of those who ask.', {
  id: Type.String({ description: 'Who is served the candidate is drawn by it.' }),
  promptSlug: Type.String(),
  tag: Type.String(),
  baselineVersion: Type.String({ description: 'The version that carries the tag while the rollout runs.' }),
  candidateVersion: Type.String({ description: 'The version that is served to the share.' }),
  share: Share,
  shares: Type.Array(
    Type.Object({ share: Type.Number(), changedAt: Instant('Since when it was served.'), ...who }),
    { description: 'Every share it had, the latest first.' },
  ),
  status: Status,
  alertIds: AlertIds,
  reason: Type.Optional(Type.String({ description: 'Why it ended.' })),
  createdAt: Instant('When it began.'),
  createdBy: Type.Optional(Type.String({ description: 'Id of the API key or person that began it.' })),
  createdByName: Type.Optional(Type.String({ description: 'What that key or person is called now.' })),
  endedAt: Type.Optional(Instant('When it ended; absent while it runs.')),
  endedBy: Type.Optional(Type.String({ description: 'Id of the API key or person that ended it.' })),
  endedByName: Type.Optional(Type.String({ description: 'What that key or person is called now.' })),
  endedByAlertId: Type.Optional(Type.String({ description: 'The alert that rolled it back.' })),
})
export type Rollout = Static<typeof Rollout>

const id = Type.String({ description: 'Id of the rollout.' })
const Answer = Type.Object({ rollout: Rollout })

export const list = operation({
  name: 'rollouts.list',
  method: 'GET',
  path: '/rollouts',
  summary: 'Lists rollouts, the latest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    promptSlug: Type.Optional(Type.String({ description: 'Only those of this prompt.' })),
    status: Type.Optional(Type.Enum([...rolloutStatuses], { description: 'Only those of this status.' })),
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
  summary: 'One rollout, running or ended.',
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
    'Begins to serve a version to a share of those who ask for a tag. One rollout runs for a tag of a prompt at a time.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    promptSlug: Type.String({ description: 'Slug of the prompt.' }),
    tag: Absentable(
      Type.String({
        description: 'The tag, which a version carries; `production` when absent, never `latest`.',
      }),
    ),
    candidateVersion: Type.String({
      description: 'The version to serve; another than the one with the tag.',
    }),
    share: Share,
    alertIds: Absentable(AlertIds),
  }),
  success: 201,
  output: Answer,
  errors: [
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
    'Changes the share of a rollout that runs, or the alerts that roll it back. A larger share sends nobody back.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id, share: Absentable(Share), alertIds: Absentable(AlertIds) }),
  success: 200,
  output: Answer,
  errors: ['invalid_request', 'rollout_not_found', 'alert_not_found', 'alert_firing', 'rollout_ended'],
})

export const promote = operation({
  name: 'rollouts.promote',
  method: 'POST',
  path: '/rollouts/{id}/promote',
  summary: 'Ends a rollout with its candidate: the tag moves to it, as by publishing.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id }),
  success: 200,
  output: Answer,
  errors: ['rollout_not_found', 'rollout_ended'],
})

export const rollback = operation({
  name: 'rollouts.rollback',
  method: 'POST',
  path: '/rollouts/{id}/rollback',
  summary: 'Ends a rollout without its candidate: everyone is served the version with the tag again.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id,
    reason: Absentable(Type.String({ maxLength: 1000, description: 'Why, for those who look at it later.' })),
  }),
  success: 200,
  output: Answer,
  errors: ['invalid_request', 'rollout_not_found', 'rollout_ended'],
})

const Interval = {
  low: Nullable(
    Type.Number({ description: 'Where its 95 % interval begins; null where there is too little.' }),
  ),
  high: Nullable(Type.Number({ description: 'Where the interval ends.' })),
}

const Estimate = Nullable(
  Type.Object({
    count: Type.Integer({ description: 'Calls that have it, or scores.' }),
    mean: Type.Number(),
    ...Interval,
  }),
)

export const RolloutMeasure = named('RolloutMeasure', 'One measure of both versions of a rollout.', {
  name: Type.String({ description: '`cost`, `durationMs`, `errorRate`, `tokens` or `score.NAME`.' }),
  isShare: Type.Boolean({ description: 'Whether it is a share of calls, or of yes among booleans.' }),
  lowerIsBetter: Type.Boolean(),
  baseline: Estimate,
  candidate: Estimate,
  difference: Nullable(
    Type.Object({ value: Type.Number({ description: 'Candidate less baseline.' }), ...Interval }),
  ),
})
export type RolloutMeasure = Static<typeof RolloutMeasure>

const Variant = Type.Object({
  version: Type.String(),
  calls: Type.Integer({ description: 'Logs that used the version.' }),
  traces: Type.Integer({ description: 'Traces with such a log.' }),
  users: Type.Integer({ description: 'Users of those traces; a trace without a user counts as one.' }),
  p50DurationMs: Nullable(Type.Number()),
  p95DurationMs: Nullable(Type.Number()),
})

export const compare = operation({
  name: 'rollouts.compare',
  method: 'GET',
  path: '/rollouts/{id}/compare',
  summary:
    'Baseline and candidate side by side, of the traces that began while the rollout ran: what calls cost, how long they take, how many fail, and how they score.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id,
    from: Type.Optional(
      Type.String({ description: 'Only traces from then on, such as when the share was changed; ISO 8601.' }),
    ),
  }),
  success: 200,
  output: Type.Object({
    from: Instant('From when traces count.'),
    to: Instant('Until when traces count.'),
    baseline: Variant,
    candidate: Variant,
    measures: Type.Array(RolloutMeasure, { description: 'Those of calls first, then the scores by name.' }),
  }),
  errors: ['invalid_request', 'rollout_not_found'],
})
