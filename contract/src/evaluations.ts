/** Evaluations: each is one judging of a trace, or of one of its logs, by one version of an evaluator. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Absentable, Cursor, Instant, Limit, NextCursor, Nullable, named } from './shapes.ts'

export const evaluationStates = ['waiting', 'running', 'done', 'skipped', 'failed'] as const

const Status = Type.Enum([...evaluationStates], {
  description:
    '`done` has given a score; `skipped` found nothing to judge; `failed` is on the list of those that were given up.',
})

export const Evaluation = named('Evaluation', 'One judging of a trace or of one of its logs.', {
  id: Type.String({ format: 'uuid', description: 'Its score, once there is one, has the same id.' }),
  traceId: Type.String({ format: 'uuid' }),
  logId: Nullable(Type.String({ description: 'The log judged; null for the whole trace.' })),
  evaluatorSlug: Type.String(),
  evaluatorVersion: Type.Integer(),
  connectionId: Nullable(Type.String({ description: 'Of the model that judges; null for other judges.' })),
  model: Nullable(Type.String()),
  status: Status,
  attempts: Type.Integer({ description: 'How often it was tried.' }),
  problem: Nullable(Type.String({ description: 'Why it has failed, or waits to be tried again.' })),
  value: Nullable(
    Type.Unsafe<boolean | number | string>({
      type: ['boolean', 'number', 'string'],
      description: 'The verdict; null where there is none.',
    }),
  ),
  comment: Nullable(Type.String({ description: 'The reason of the verdict, or of there being none.' })),
  cost: Nullable(Type.Number({ description: 'US dollars, of all tries; null when unknown.' })),
  inputTokens: Nullable(Type.Integer({ description: 'Of all tries.' })),
  outputTokens: Nullable(Type.Integer({ description: 'Of all tries.' })),
  dueAt: Nullable(Instant('When it may be tried, while it waits.')),
  deadlineAt: Instant('When it fails if it still waits.'),
  createdAt: Instant('When it was asked for.'),
  changedAt: Instant('When its status changed.'),
})
export type Evaluation = Static<typeof Evaluation>

const Waiting = Type.Object({
  judge: Type.Enum(['rule', 'code', 'model'], { description: 'What judges them.' }),
  connectionId: Nullable(Type.String({ description: 'Null for what asks no model.' })),
  model: Nullable(Type.String()),
  waiting: Type.Integer({ description: 'How many evaluations wait for it.' }),
  problem: Nullable(Type.String({ description: 'What holds them up; null where they are only in turn.' })),
  until: Nullable(Instant('When it is looked at again.')),
})

export const list = operation({
  name: 'evaluations.list',
  method: 'GET',
  path: '/evaluations',
  summary:
    'Lists evaluations, the last changed first, and tells how many there are and why something waits. Those that ended are kept for seven days, those that failed for thirty.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    status: Type.Optional(Type.Enum([...evaluationStates], { description: 'Only those of this status.' })),
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
        doneToday: Type.Integer({ description: 'Since midnight, UTC.' }),
        skippedToday: Type.Integer(),
        costToday: Type.Number({ description: 'US dollars for those that are done today.' }),
        waitingSince: Nullable(Instant('When the first that waits was asked for.')),
      },
      { description: 'Of the whole workspace, whatever the filters.' },
    ),
    waiting: Type.Array(Waiting, { description: 'What waits, by the model that it waits for.' }),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request'],
})

export const create = operation({
  name: 'evaluations.create',
  method: 'POST',
  path: '/evaluations',
  summary:
    'Has traces, or single logs of traces, judged by an evaluator, whatever the sampling. What its version has judged, or is about to, is not judged again.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    evaluatorSlug: Type.String({ description: 'Slug of the evaluator.' }),
    traceIds: Absentable(
      Type.Array(Type.String(), {
        maxItems: 1000,
        description: 'Whole traces; with `logs`, 1 to 1000 in all.',
      }),
    ),
    logs: Absentable(
      Type.Array(
        Type.Object({
          traceId: Type.String({ description: 'The trace that the log is in.' }),
          logId: Type.String({ description: 'The id that the client gave.' }),
        }),
        { maxItems: 1000, description: 'Single logs.' },
      ),
    ),
  }),
  success: 201,
  output: Type.Object({
    created: Type.Integer({ description: 'How many will be judged.' }),
    existing: Type.Integer({ description: 'How many were, or will be, anyway.' }),
  }),
  errors: ['invalid_request', 'evaluator_not_found', 'trace_not_found', 'log_not_found'],
})

export const retry = operation({
  name: 'evaluations.retry',
  method: 'POST',
  path: '/evaluations/retry',
  summary: 'Tries again what has failed: the evaluations named, or all, of one evaluator if it is named.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    ids: Absentable(
      Type.Array(Type.String(), { minItems: 1, maxItems: 1000, description: '1 to 1000 evaluations.' }),
    ),
    evaluatorSlug: Absentable(Type.String({ description: 'Only those of this evaluator.' })),
  }),
  success: 200,
  output: Type.Object({ retried: Type.Integer({ description: 'How many wait again.' }) }),
  errors: ['invalid_request'],
})
