import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import {
  Absentable,
  Cursor,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
  Nullable,
  OptionalTimestamp,
  QueryInstant,
} from '../interface/shapes.ts'

const Value = Type.Unsafe<boolean | number | string>({
  type: ['boolean', 'number', 'string'],
  description: 'A boolean, a number or a category.',
})

export const Score = NamedObject('Score', 'A score of a trace, of one of its logs, or of its session.', {
  id: Type.String({ format: 'uuid' }),
  traceId: Type.String({ format: 'uuid' }),
  logId: Nullable(Type.String({ description: 'The scored log, by the id that the client chose.' })),
  sessionId: Nullable(
    Type.String({
      description: 'The scored session, up to this trace; null for a score of a trace or a log.',
    }),
  ),
  name: Type.String({ description: 'Name of the score, such as `accuracy`.' }),
  value: Value,
  comment: Nullable(Type.String({ description: 'The reason.' })),
  source: Type.String({
    description:
      '`human`: given by a person in the web app; `api`: sent with an API key; `evaluator`: given by an evaluator; `otlp`: taken from a span.',
  }),
  author: Nullable(
    Type.String({ description: 'Name, at that time, of the person or API key that gave it.' }),
  ),
  isOwn: Type.Boolean({ description: 'Whether you gave it, and can therefore change and delete it.' }),
  userId: Nullable(Type.String({ description: 'The end user of your application who gave it.' })),
  evaluatorSlug: Nullable(Type.String({ description: 'The evaluator that gave it.' })),
  evaluatorVersion: Nullable(Type.Integer({ description: 'The version of the evaluator.' })),
  model: Nullable(Type.String({ description: 'The model that judged.' })),
  judgeTraceId: Nullable(
    Type.String({
      format: 'uuid',
      description: 'The trace that records the call to the model that judged.',
    }),
  ),
  cost: Nullable(Type.Number({ description: 'US dollars for the judgement; null when unknown.' })),
  createdAt: Instant('When it was given.'),
})
export type Score = Static<typeof Score>

export const create = operation({
  name: 'scores.create',
  method: 'POST',
  path: '/scores',
  summary:
    'Scores a trace, or one of its logs. With `userId`, a new score by the same user with the same name replaces the earlier one.',
  scope: 'ingest',
  orScope: 'manage',
  role: 'editor',
  audit: 'recording',
  input: Type.Object({
    traceId: Type.String({ description: 'The trace to score.' }),
    logId: Absentable(Type.String({ description: 'The log to score, by the id that the client chose.' })),
    name: Type.String({ minLength: 1, description: 'What the score measures.' }),
    value: Value,
    comment: Absentable(Type.String({ description: 'The reason.' })),
    userId: Absentable(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'The end user of your application who gave the score, or a session if users are unknown.',
      }),
    ),
    createdAt: OptionalTimestamp('When the score was given, from 1970 on; now when absent.'),
  }),
  success: 201,
  output: Type.Object({ score: Score }),
  errors: ['invalid_request', 'trace_not_found', 'log_not_found'],
})

const Text = (description: string) => Type.Optional(Type.String({ description }))
export const list = operation({
  name: 'scores.list',
  method: 'GET',
  path: '/scores',
  summary: 'Lists scores, newest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    traceId: Text('Scores of this trace and of its logs.'),
    traceIds: Text('Scores of these traces and of their logs: their ids, comma-separated, 200 at most.'),
    name: Text('Scores of this name.'),
    source: Text('Scores from this source.'),
    from: QueryInstant('Scores created at this instant or later.'),
    to: QueryInstant('Scores created before this instant.'),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ scores: Type.Array(Score), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const update = operation({
  name: 'scores.update',
  method: 'PATCH',
  path: '/scores/{id}',
  summary: 'Changes a score. Only its author may do this.',
  scope: 'ingest',
  orScope: 'manage',
  role: 'editor',
  input: Type.Object({
    id: Type.String({ description: 'Id of the score.' }),
    value: Type.Optional(Value),
    comment: Absentable(Type.String({ description: 'The reason; null removes it.' })),
  }),
  success: 200,
  output: Type.Object({ score: Score }),
  errors: ['invalid_request', 'score_not_yours', 'score_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'scores.delete',
  method: 'DELETE',
  path: '/scores/{id}',
  summary: 'Deletes a score. Only its author may do this.',
  scope: 'ingest',
  orScope: 'manage',
  role: 'editor',
  input: Type.Object({ id: Type.String({ description: 'Id of the score.' }) }),
  success: 204,
  output: null,
  errors: ['score_not_yours', 'score_not_found'],
})

export { remove as delete }
