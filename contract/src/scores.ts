import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { Absentable, Instant, Nullable, named } from './shapes.ts'

const Value = Type.Unsafe<boolean | number | string>({
  type: ['boolean', 'number', 'string'],
  description: 'A boolean, a number or a category.',
})

export const Score = named('Score', 'One judgement of a trace or of one of its logs.', {
  id: Type.String({ format: 'uuid' }),
  traceId: Type.String({ format: 'uuid' }),
  logId: Nullable(Type.String({ description: 'The log judged, by the id that the client gave it.' })),
  name: Type.String({ description: 'What is judged, such as `accuracy`.' }),
  value: Value,
  comment: Nullable(Type.String({ description: 'The reason.' })),
  source: Type.String({ description: '`api` for scores that were posted.' }),
  createdAt: Instant('When it was given.'),
})
export type Score = Static<typeof Score>

export const create = operation({
  name: 'scores.create',
  method: 'POST',
  path: '/scores',
  summary: 'Scores a trace, or one of its logs.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    traceId: Type.String({ description: 'The trace judged.' }),
    logId: Absentable(Type.String({ description: 'The log judged, by the id that the client gave it.' })),
    name: Type.String({ minLength: 1, description: 'What is judged.' }),
    value: Value,
    comment: Absentable(Type.String({ description: 'The reason.' })),
  }),
  success: 201,
  output: Type.Object({ score: Score }),
  errors: ['invalid_request', 'trace_not_found', 'log_not_found'],
})
