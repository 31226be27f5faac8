/** Evaluations: each one judges a trace, or one of its logs, by one version of an evaluator. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Instant, Limit, NamedObject, NextCursor, Nullable } from '../interface/shapes.ts'

export const evaluationStates = ['waiting', 'running', 'done', 'skipped', 'failed'] as const

const Status = Type.Enum([...evaluationStates], {
  description:
    '`done`: it produced a score. `skipped`: there was nothing to judge. `failed`: all attempts failed.',
})

export const Evaluation = NamedObject(
  'Evaluation',
  'One evaluation of a trace, of one of its logs, or of its session.',
  {
    id: Type.String({ format: 'uuid', description: 'Id of the evaluation, and of its score.' }),
    traceId: Type.String({ format: 'uuid' }),
    logId: Nullable(Type.String({ description: 'The log judged; null for the whole trace.' })),
    sessionId: Nullable(
      Type.String({ description: 'The session judged, up to this trace; null for a trace or a log.' }),
    ),
    evaluatorSlug: Type.String(),
    evaluatorVersion: Type.Integer(),
    connectionId: Nullable(
      Type.String({ description: 'Connection of the model that judges; null for other evaluators.' }),
    ),
    model: Nullable(Type.String()),
    status: Status,
    attempts: Type.Integer({ description: 'Number of attempts.' }),
    problem: Nullable(Type.String({ description: 'Why it failed or is waiting for a retry.' })),
    value: Nullable(
      Type.Unsafe<boolean | number | string>({
        type: ['boolean', 'number', 'string'],
        description: 'The verdict; null if there is none.',
      }),
    ),
    comment: Nullable(Type.String({ description: 'The reason for the verdict, or why there is none.' })),
    cost: Nullable(Type.Number({ description: 'US dollars for all attempts; null when unknown.' })),
    inputTokens: Nullable(Type.Integer({ description: 'For all attempts.' })),
    outputTokens: Nullable(Type.Integer({ description: 'For all attempts.' })),
    judgeTraceId: Nullable(
      Type.String({
        format: 'uuid',
        description: 'The trace that records the model call of the last attempt.',
      }),
    ),
    dueAt: Nullable(Instant('While it waits, the time of the next attempt.')),
    deadlineAt: Instant('When it fails if it is still waiting then.'),
    createdAt: Instant('When it was requested.'),
    changedAt: Instant('When its status last changed.'),
  },
)
export type Evaluation = Static<typeof Evaluation>

const Waiting = Type.Object({
  judge: Type.Enum(['rule', 'code', 'model'], { description: 'Kind of evaluator.' }),
  connectionId: Nullable(Type.String({ description: 'Null for evaluations that call no model.' })),
  model: Nullable(Type.String()),
  waiting: Type.Integer({ description: 'Number of evaluations waiting for it.' }),
  problem: Nullable(Type.String({ description: 'What blocks them; null if they are only queued.' })),
  until: Nullable(Instant('When the service checks it again.')),
})

export const list = operation({
  name: 'evaluations.list',
  method: 'GET',
  path: '/evaluations',
  summary:
    'Lists evaluations, most recently changed first, with their counts and the reasons why some are waiting. Completed evaluations are kept for seven days, failed ones for 30 days.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    status: Type.Optional(Type.Enum([...evaluationStates], { description: 'Only those with this status.' })),
    evaluatorSlug: Type.Optional(Type.String({ description: 'Only those of this evaluator.' })),
    traceId: Type.Optional(Type.String({ description: 'Only those of this trace.' })),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    evaluations: Type.Array(Evaluation),
    counts: Type.Object(
      {
        waiting: Type.Integer(),
        running: Type.Integer(),
        failed: Type.Integer(),
        doneToday: Type.Integer({ description: 'Completed since midnight UTC.' }),
        skippedToday: Type.Integer(),
        costToday: Type.Number({ description: 'US dollars for those done today.' }),
        waitingSince: Nullable(Instant('When the oldest waiting evaluation was requested.')),
      },
      { description: 'Counts for the whole workspace, regardless of the filters.' },
    ),
    waiting: Type.Array(Waiting, { description: 'Waiting evaluations, by the model that they wait for.' }),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request'],
})

export const create = operation({
  name: 'evaluations.create',
  method: 'POST',
  path: '/evaluations',
  summary:
    'Evaluates traces, or single logs of traces, with one evaluator, regardless of sampling. Traces and logs that its current version has already judged or queued are not judged again.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    evaluatorSlug: Type.String({ description: 'Slug of the evaluator.' }),
    traceIds: Absentable(
      Type.Array(Type.String(), {
        maxItems: 1000,
        description: 'Whole traces to judge; together with `logs`, 1 to 1000.',
      }),
    ),
    logs: Absentable(
      Type.Array(
        Type.Object({
          traceId: Type.String({ description: 'The trace that the log is in.' }),
          logId: Type.String({ description: 'The id that the client chose.' }),
        }),
        { maxItems: 1000, description: 'Single logs to judge.' },
      ),
    ),
  }),
  success: 201,
  output: Type.Object({
    created: Type.Integer({ description: 'Number that will be judged.' }),
    existing: Type.Integer({ description: 'Number already judged or queued.' }),
  }),
  errors: ['invalid_request', 'evaluator_not_found', 'trace_not_found', 'log_not_found'],
})

export const retry = operation({
  name: 'evaluations.retry',
  method: 'POST',
  path: '/evaluations/retry',
  summary: 'Retries failed evaluations: those in the request, those of one evaluator, or all.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    ids: Absentable(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 1000,
        description: 'The evaluations to retry: 1 to 1000.',
      }),
    ),
    evaluatorSlug: Absentable(Type.String({ description: 'Only those of this evaluator.' })),
  }),
  success: 200,
  output: Type.Object({ retried: Type.Integer({ description: 'Number of evaluations queued again.' }) }),
  errors: ['invalid_request'],
})
