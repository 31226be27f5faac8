/** Alerts: a measure of traces over a window that moves with time, and who is told when it crosses a threshold. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Absentable, Cursor, FreeObject, Instant, Limit, NextCursor, Nullable, named } from './shapes.ts'
import { traceFilters } from './traces.ts'

export const alertMeasures = [
  'cost',
  'costPerTrace',
  'p50DurationMs',
  'p95DurationMs',
  'p99DurationMs',
  'avgDurationMs',
  'errorRate',
  'errors',
  'score',
  'traces',
  'totalTokens',
] as const
export type AlertMeasure = (typeof alertMeasures)[number]

export const alertStates = ['ok', 'pending', 'firing'] as const
export type AlertState = (typeof alertStates)[number]

const { featureSlug, experimentId, promptSlug, promptVersion, userId, organizationId } = traceFilters
const { type, name: traceName, model, provider, where } = traceFilters
/** The filters of an alert. One that is not known is refused: without it the alert would watch more than was meant. */
export const AlertFilters = Type.Object(
  {
    featureSlug,
    experimentId,
    promptSlug,
    promptVersion,
    userId,
    organizationId,
    type,
    name: traceName,
    model,
    provider,
    where,
  },
  { patternProperties: { '^metadata\\..': { type: 'string' } }, additionalProperties: false },
)

const Measure = Type.Enum([...alertMeasures], {
  description:
    'What is measured. `errorRate` is a share, 0 to 1; `score` the mean of scores, where true is 1 and false is 0; `cost` is in US dollars. With a filter on model, promptSlug, promptVersion or type, durations, errors, tokens and cost are those of the logs that match.',
})
const ScoreName = Type.String({ minLength: 1, maxLength: 200, description: 'Only scores of this name.' })
const EvaluatorSlug = Type.String({ minLength: 1, description: 'Only scores that this evaluator gave.' })
const WindowMinutes = Type.Integer({
  minimum: 1,
  maximum: 10_080,
  description: 'How much time it looks back over. Traces count by their start.',
})
const Condition = Type.Enum(['above', 'below'], { description: 'On which side of the threshold it fires.' })
const Threshold = Type.Number({ description: 'In the unit of the measure; the threshold itself is good.' })
const RecoveryThreshold = Type.Number({
  description:
    'What the value has to come back to before it is good again, on the good side of the threshold; the threshold when absent.',
})
const Minutes = (description: string) => Type.Integer({ minimum: 0, maximum: 1440, description })
const ForMinutes = Minutes('How long the value has to be bad before it fires; 0 by default.')
const KeepFiringForMinutes = Minutes('How long it has to be good before it is resolved; 0 by default.')
const MinimumSamples = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description:
    'With fewer traces, logs or scores a rate, percentile or mean counts as no data; 1 by default. Sums and counts have always data.',
})
const NoData = Type.Enum(['ok', 'keep', 'fire'], {
  description: 'What no data means: good, no change, or bad; `ok` by default.',
})
const DelaySeconds = Type.Integer({
  minimum: 0,
  maximum: 3600,
  description:
    'How long ago the window ends, so that what is recorded late, after a long trace has ended, is in; 30 by default.',
})
const Filters = FreeObject(
  'Filters of GET /monitor/traces: featureSlug, experimentId, promptSlug, promptVersion, userId, organizationId, type, name, model, provider, where and metadata.KEY.',
)
const Name = Type.String({ minLength: 1, maxLength: 200, description: 'Its name, unique in the workspace.' })
const Note = Type.String({ maxLength: 2000, description: 'What to do about it; it goes with every message.' })
const ChannelIds = Type.Array(Type.String(), { maxItems: 20, description: 'The channels that it tells.' })
const MutedUntil = Type.String({
  format: 'date-time',
  description: 'Nobody is told before; not longer than a year.',
})
const Id = Type.String({ description: 'Id of the alert.' })

const rule = {
  measure: Measure,
  scoreName: Absentable(ScoreName),
  evaluatorSlug: Absentable(EvaluatorSlug),
  filters: Absentable(Filters),
  windowMinutes: WindowMinutes,
  condition: Condition,
  threshold: Threshold,
  recoveryThreshold: Absentable(RecoveryThreshold),
  forMinutes: Absentable(ForMinutes),
  keepFiringForMinutes: Absentable(KeepFiringForMinutes),
  minimumSamples: Absentable(MinimumSamples),
  noData: Type.Optional(NoData),
  delaySeconds: Absentable(DelaySeconds),
}

/** A rule as it is kept: everything is told. */
const fullRule = {
  measure: Measure,
  scoreName: Nullable(ScoreName),
  evaluatorSlug: Nullable(EvaluatorSlug),
  filters: Filters,
  windowMinutes: WindowMinutes,
  condition: Condition,
  threshold: Threshold,
  recoveryThreshold: Nullable(RecoveryThreshold),
  forMinutes: ForMinutes,
  keepFiringForMinutes: KeepFiringForMinutes,
  minimumSamples: MinimumSamples,
  noData: NoData,
  delaySeconds: DelaySeconds,
}
const AlertRule = Type.Object(fullRule)
export type AlertRule = Static<typeof AlertRule>

const Point = Type.Object({
  at: Instant('The end of the window.'),
  value: Nullable(Type.Number({ description: 'Null where there was nothing to tell it from.' })),
})

export const Alert = named('Alert', 'What is watched, and how it stands.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  note: Nullable(Type.String({ description: 'What to do about it.' })),
  summary: Type.String({ description: 'The rule in words.' }),
  ...fullRule,
  everyMinutes: Type.Integer({ description: 'How often it is looked at: long windows less often.' }),
  channelIds: ChannelIds,
  isEnabled: Type.Boolean({ description: 'Whether it is watched.' }),
  mutedUntil: Nullable(Instant('Nobody is told before.')),
  createdAt: Instant('When it was made.'),
  state: Type.Enum([...alertStates], { description: '`pending` is bad, and not for long enough yet.' }),
  since: Nullable(Instant('Since when it is in this state; null before the first look.')),
  checkedAt: Nullable(Instant('The end of the window that was looked at last.')),
  value: Nullable(
    Type.Number({ description: 'Of that window; null where there was nothing to tell it from.' }),
  ),
  samples: Type.Integer({ description: 'Traces, logs or scores that the value was made of.' }),
  problem: Nullable(Type.String({ description: 'Why the last look failed; null where it did not.' })),
  recent: Type.Array(Point, { description: 'The values of the last looks, oldest first.' }),
})
export type Alert = Static<typeof Alert>

export const eventTypes = ['firing', 'resolved'] as const
export const eventReasons = ['threshold', 'no_data', 'changed', 'disabled', 'deleted'] as const

const Notification = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'The same at every try; a receiver can tell a repetition by it.',
  }),
  channelId: Type.String(),
  channelName: Type.String(),
  status: Type.Enum(['waiting', 'delivered', 'failed']),
  attempts: Type.Integer({ description: 'How often it was tried.' }),
  problem: Nullable(Type.String({ description: 'Why the last try failed.' })),
  nextAt: Nullable(Instant('When it is tried next; null while it is being sent, and once it has ended.')),
  deliveredAt: Nullable(Instant('When the receiver took it.')),
})

export const AlertEvent = named('AlertEvent', 'An alert that began to fire, or was resolved.', {
  id: Type.String({ format: 'uuid' }),
  alertId: Type.String({ format: 'uuid', description: 'Of an alert that may be gone.' }),
  alertName: Type.String({ description: 'As it was then.' }),
  type: Type.Enum([...eventTypes]),
  reason: Type.Enum([...eventReasons], {
    description: 'What brought it about: the threshold, no data, or a person who changed the alert.',
  }),
  at: Instant('The end of the window that brought it about.'),
  value: Nullable(Type.Number({ description: 'Of that window.' })),
  samples: Type.Integer(),
  measure: Measure,
  windowMinutes: WindowMinutes,
  condition: Condition,
  threshold: Threshold,
  summary: Type.String({ description: 'What happened, in words.' }),
  notifications: Type.Array(Notification, { description: 'Who was told of it, or is about to be.' }),
})
export type AlertEvent = Static<typeof AlertEvent>

export const list = operation({
  name: 'alerts.list',
  method: 'GET',
  path: '/alerts',
  summary: 'Lists the alerts of the workspace, by name, and how each stands.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ alerts: Type.Array(Alert) }),
  errors: [],
})

export const get = operation({
  name: 'alerts.get',
  method: 'GET',
  path: '/alerts/{id}',
  summary: 'One alert, and how it stands.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ id: Id }),
  success: 200,
  output: Type.Object({ alert: Alert }),
  errors: ['alert_not_found'],
})

export const create = operation({
  name: 'alerts.create',
  method: 'POST',
  path: '/alerts',
  summary: 'Adds an alert. It is looked at at once.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    name: Name,
    note: Absentable(Note),
    ...rule,
    channelIds: Absentable(ChannelIds),
    isEnabled: Absentable(Type.Boolean({ description: 'True by default.' })),
  }),
  success: 201,
  output: Type.Object({ alert: Alert }),
  errors: ['invalid_request', 'channel_not_found', 'already_exists'],
})

export const update = operation({
  name: 'alerts.update',
  method: 'PATCH',
  path: '/alerts/{id}',
  summary:
    'Changes an alert. One whose rule changes starts anew: if it fires, it is resolved, and fires again where the new rule says so.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: Id,
    name: Absentable(Name),
    note: Absentable(Note),
    measure: Absentable(Measure),
    scoreName: Absentable(ScoreName),
    evaluatorSlug: Absentable(EvaluatorSlug),
    filters: Absentable(Filters),
    windowMinutes: Absentable(WindowMinutes),
    condition: Absentable(Condition),
    threshold: Absentable(Threshold),
    recoveryThreshold: Absentable(RecoveryThreshold),
    forMinutes: Absentable(ForMinutes),
    keepFiringForMinutes: Absentable(KeepFiringForMinutes),
    minimumSamples: Absentable(MinimumSamples),
    noData: Type.Optional(NoData),
    delaySeconds: Absentable(DelaySeconds),
    channelIds: Absentable(ChannelIds),
    isEnabled: Absentable(Type.Boolean({ description: 'Whether it is watched.' })),
    mutedUntil: Absentable(MutedUntil),
  }),
  success: 200,
  output: Type.Object({ alert: Alert }),
  errors: ['invalid_request', 'alert_not_found', 'channel_not_found', 'already_exists'],
})

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'alerts.delete',
  method: 'DELETE',
  path: '/alerts/{id}',
  summary: 'Deletes an alert; one that fires is resolved. What it has told stays in the history.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: Id }),
  success: 204,
  output: null,
  errors: ['alert_not_found', 'alert_in_use'],
})

export { remove as delete }

export const preview = operation({
  name: 'alerts.preview',
  method: 'GET',
  path: '/alerts/preview',
  summary: 'What an alert would have seen, and when it would have fired.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    measure: Measure,
    scoreName: Type.Optional(ScoreName),
    evaluatorSlug: Type.Optional(EvaluatorSlug),
    filters: Type.Optional(
      Type.String({
        description: 'A JSON object of the filters of an alert, such as {"featureSlug":"chat"}.',
      }),
    ),
    windowMinutes: WindowMinutes,
    condition: Condition,
    threshold: Threshold,
    recoveryThreshold: Type.Optional(RecoveryThreshold),
    forMinutes: Type.Optional(ForMinutes),
    keepFiringForMinutes: Type.Optional(KeepFiringForMinutes),
    minimumSamples: Type.Optional(MinimumSamples),
    noData: Type.Optional(NoData),
    delaySeconds: Type.Optional(DelaySeconds),
    from: traceFilters.from,
    to: traceFilters.to,
  }),
  success: 200,
  output: Type.Object({
    summary: Type.String({ description: 'The rule in words.' }),
    everyMinutes: Type.Integer({
      description: 'Minutes between two windows; more than for the alert itself where the range is long.',
    }),
    points: Type.Array(
      Type.Object({
        at: Instant('The end of the window.'),
        value: Nullable(Type.Number({ description: 'Null where there was nothing to tell it from.' })),
        samples: Type.Integer(),
        state: Type.Enum([...alertStates]),
      }),
      { description: 'Oldest first.' },
    ),
    firings: Type.Array(
      Type.Object({
        from: Instant('When it would have fired.'),
        to: Nullable(Instant('When it would have been resolved; null where it would fire still.')),
      }),
    ),
  }),
  errors: ['invalid_request'],
})

export const history = operation({
  name: 'alerts.history',
  method: 'GET',
  path: '/alerts/history',
  summary: 'Lists when alerts began to fire and were resolved, the last first, and who was told.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    alertId: Type.Optional(Type.String({ description: 'Only those of this alert.' })),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ events: Type.Array(AlertEvent), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const retry = operation({
  name: 'alerts.retry',
  method: 'POST',
  path: '/alerts/notifications/{id}/retry',
  summary: 'Sends a message again that was given up, under the same id.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: Type.String({ description: 'Id of the notification.' }) }),
  success: 200,
  output: Type.Object({ retried: Type.Boolean({ description: 'False where it had not been given up.' }) }),
  errors: ['notification_not_found'],
})
