/** Alerts: a measure of traces over a moving window, which notifies channels when it crosses a threshold. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  Cursor,
  FreeObject,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
  Nullable,
  OptionalTimestamp,
} from '../interface/shapes.ts'
import { filterParameters } from '../traces/trace-conditions.ts'
import { traceFields } from '../traces/trace-fields.ts'
import { FilterObject, traceFilters } from '../traces/trace-filters.ts'
import { distributionMeasures } from '../traces/trace-measures.ts'

export const alertMeasures = [
  'cost',
  'costPerTrace',
  ...distributionMeasures.keys(),
  'errorRate',
  'errors',
  'score',
  'traces',
  'totalTokens',
] as const
export type AlertMeasure = (typeof alertMeasures)[number]

export const alertStates = ['ok', 'pending', 'firing'] as const
export type AlertState = (typeof alertStates)[number]

/** Fields by which alerts filter: those with a single value. */
const { where, ...parameters } = traceFilters
const valueParameters = Object.fromEntries(
  Object.entries(parameters).filter(([name]) => {
    const parameter = filterParameters.get(name)
    return parameter?.operator === 'is' && traceFields[parameter.field].type !== 'flag'
  }),
)
export const AlertFilters = FilterObject({ ...valueParameters, where })

const Measure = Type.Enum([...alertMeasures], {
  description:
    'What is measured. `errorRate` is a fraction, 0 to 1; `score` the mean of scores, where true is 1 and false is 0; `cost` is in US dollars. With a filter on model, promptSlug, promptVersion or type, with one or more values, durations, errors, tokens and cost are those of the matching logs.',
})
const ScoreName = Type.String({ minLength: 1, maxLength: 200, description: 'Only scores with this name.' })
const EvaluatorSlug = Type.String({ minLength: 1, description: 'Only scores that this evaluator gave.' })
const WindowMinutes = Type.Integer({
  minimum: 1,
  maximum: 10_080,
  description: 'Length of the window. Traces count by their start.',
})
const Condition = Type.Enum(['above', 'below'], { description: 'Side of the threshold on which it fires.' })
const Threshold = Type.Number({
  description: 'Threshold in the unit of the measure. A value equal to it does not fire.',
})
const RecoveryThreshold = Type.Number({
  description:
    'The value at which it recovers, on the good side of the threshold; the threshold when absent.',
})
const Minutes = (description: string) => Type.Integer({ minimum: 0, maximum: 1440, description })
const ForMinutes = Minutes('Minutes for which the threshold must be crossed before it fires; 0 by default.')
const KeepFiringForMinutes = Minutes(
  'Minutes for which the value must be good before it is resolved; 0 by default.',
)
const MinimumSamples = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description:
    'Minimum number of traces, logs or scores (for a percentile or mean, of those with a value), below which a rate, percentile or mean counts as no data; 1 by default. Sums and counts always have data.',
})
const NoData = Type.Enum(['ok', 'keep', 'fire'], {
  description: 'How missing data counts: as good, as no change, or as bad; `ok` by default.',
})
const DelaySeconds = Type.Integer({
  minimum: 0,
  maximum: 3600,
  description:
    'Delay of the end of the window, so that it includes long traces, which are recorded late; 30 by default.',
})
const Filters = FreeObject(
  `Filters of GET /monitor/traces: ${Object.keys(valueParameters).join(', ')}, where and metadata.KEY.`,
)
const Name = Type.String({ minLength: 1, maxLength: 200, description: 'Its name, unique in the workspace.' })
const Note = Type.String({
  maxLength: 2000,
  description: 'What to do when it fires; included in every message.',
})
const ChannelIds = Type.Array(Type.String(), { maxItems: 20, description: 'Channels that it notifies.' })
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

/** A rule as it is stored, with all defaults filled in. */
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
  value: Nullable(Type.Number({ description: 'Null if there was no data.' })),
})

export const Alert = NamedObject('Alert', 'A rule over a measure of traces, with its state.', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  note: Nullable(Type.String({ description: 'What to do when it fires.' })),
  summary: Type.String({ description: 'The rule in words.' }),
  ...fullRule,
  everyMinutes: Type.Integer({
    description: 'Minutes between checks; more for long windows.',
  }),
  channelIds: ChannelIds,
  isEnabled: Type.Boolean({ description: 'Whether the service checks it.' }),
  mutedUntil: Nullable(Instant('No notification is sent before this time.')),
  createdAt: Instant('When it was created.'),
  state: Type.Enum([...alertStates], {
    description: '`pending`: the threshold has been crossed, but not for long enough yet.',
  }),
  since: Nullable(Instant('When it entered this state; null before the first check.')),
  checkedAt: Nullable(Instant('End of the last window checked.')),
  value: Nullable(Type.Number({ description: 'Value in that window; null if there was no data.' })),
  samples: Type.Integer({ description: 'Number of traces, logs or scores behind the value.' }),
  problem: Nullable(Type.String({ description: 'Why the last check failed; null if it did not.' })),
  recent: Type.Array(Point, { description: 'The values of the last checks, oldest first.' }),
})
export type Alert = Static<typeof Alert>

export const eventTypes = ['firing', 'resolved'] as const
export const eventReasons = ['threshold', 'no_data', 'changed', 'disabled', 'deleted'] as const

const Notification = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'The same in every attempt, so that a receiver can detect duplicates.',
  }),
  channelId: Type.String(),
  channelName: Type.String(),
  status: Type.Enum(['waiting', 'delivered', 'failed']),
  attempts: Type.Integer({ description: 'Number of attempts.' }),
  problem: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
  nextAt: Nullable(
    Instant('Time of the next attempt; null while it is being sent and after the last attempt.'),
  ),
  deliveredAt: Nullable(Instant('When the receiver accepted it.')),
})

export const AlertEvent = NamedObject('AlertEvent', 'An alert that started to fire or was resolved.', {
  id: Type.String({ format: 'uuid' }),
  alertId: Type.String({ format: 'uuid', description: 'Id of the alert, which may have been deleted.' }),
  alertName: Type.String({ description: 'Name at that time.' }),
  type: Type.Enum([...eventTypes]),
  reason: Type.Enum([...eventReasons], {
    description: 'The cause: the threshold, no data, or a person who changed the alert.',
  }),
  at: Instant('End of the window that caused it.'),
  value: Nullable(Type.Number({ description: 'Value in that window.' })),
  samples: Type.Integer(),
  measure: Measure,
  windowMinutes: WindowMinutes,
  condition: Condition,
  threshold: Threshold,
  summary: Type.String({ description: 'What happened, in words.' }),
  notifications: Type.Array(Notification, { description: 'Its notifications, sent and pending.' }),
})
export type AlertEvent = Static<typeof AlertEvent>

export const list = operation({
  name: 'alerts.list',
  method: 'GET',
  path: '/alerts',
  summary: 'Lists the alerts of the workspace, by name, with their state.',
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
  summary: 'Returns one alert with its state.',
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
  summary: 'Creates an alert. The service checks it at once.',
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
    'Changes an alert. If its rule changes, its state is reset: a firing alert is resolved, and fires again if the new rule is violated.',
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
    isEnabled: Absentable(Type.Boolean({ description: 'Whether the service checks it.' })),
    mutedUntil: OptionalTimestamp(
      'No notification is sent before this time; at most a year ahead, null to unmute.',
    ),
  }),
  success: 200,
  output: Type.Object({ alert: Alert }),
  errors: ['invalid_request', 'alert_not_found', 'channel_not_found', 'already_exists'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'alerts.delete',
  method: 'DELETE',
  path: '/alerts/{id}',
  summary: 'Deletes an alert, and resolves it first if it is firing. Its events stay in the history.',
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
  summary: 'Returns the values that an alert would have measured, and when it would have fired.',
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
      description:
        'Minutes between two windows; more than for the alert itself if the range is long. The last window ends at the end of the range.',
    }),
    points: Type.Array(
      Type.Object({
        at: Instant('The end of the window.'),
        value: Nullable(Type.Number({ description: 'Null if there was no data.' })),
        samples: Type.Integer(),
        state: Type.Enum([...alertStates]),
      }),
      { description: 'Oldest first.' },
    ),
    firings: Type.Array(
      Type.Object({
        from: Instant('When it would have fired.'),
        to: Nullable(Instant('When it would have been resolved; null if it would still fire.')),
      }),
    ),
  }),
  errors: ['invalid_request'],
})

export const history = operation({
  name: 'alerts.history',
  method: 'GET',
  path: '/alerts/history',
  summary:
    'Lists when alerts started to fire and were resolved, newest first, with the notifications of each event.',
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
  summary: 'Sends a failed notification again, under the same id.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id: Type.String({ description: 'Id of the notification.' }) }),
  success: 200,
  output: Type.Object({ retried: Type.Boolean({ description: 'False if it had not failed.' }) }),
  errors: ['notification_not_found'],
})
