/** Conversations: the traces of one session, from the first to the last. */
import { type Static, Type } from 'typebox'
import { Score } from '../evaluate/scores.ts'
import { operation } from '../interface/operation.ts'
import {
  AnyJson,
  Cursor,
  Instant,
  Limit,
  NamedObject,
  NextCursor,
  Nullable,
  Organization,
  User,
} from '../interface/shapes.ts'
import { Totals } from '../traces/stored-trace.ts'
import { groupFields, groupInput } from '../traces/trace-groups.ts'

export const Conversation = NamedObject('Conversation', 'Figures for the traces of one session.', {
  id: Type.String({ description: 'The `sessionId` of its traces.' }),
  firstInput: Nullable(Type.String({ description: 'Beginning of the JSON text of the first input.' })),
  lastOutput: Nullable(Type.String({ description: 'Beginning of the JSON text of the last output.' })),
  user: Nullable(User),
  organization: Nullable(Organization),
  ...groupFields,
})
export type Conversation = Static<typeof Conversation>

export const ConversationTurn = NamedObject('ConversationTurn', 'One trace of a conversation.', {
  traceId: Type.String({ format: 'uuid' }),
  name: Type.String(),
  startTime: Instant('Start of the trace.'),
  input: AnyJson('Input of the trace, else that of its first generation.'),
  output: AnyJson('Output of the trace, else that of its last generation.'),
  isShortened: Type.Boolean({
    description:
      'Whether the input or output was too long for this response and is returned as truncated text.',
  }),
  error: Nullable(Type.String({ description: 'Beginning of the error message of its first failed log.' })),
  totals: Totals,
  scores: Type.Array(Score, { description: 'Oldest first.' }),
})
export type ConversationTurn = Static<typeof ConversationTurn>

export const list = operation({
  name: 'conversations.list',
  method: 'GET',
  path: '/monitor/conversations',
  summary:
    'Lists conversations, which are traces with the same `sessionId`, sorted by `sort`, by default the latest first. Filters select the traces, and figures cover only the selected traces.',
  scope: 'read',
  role: 'viewer',
  input: groupInput(['last', 'first', 'traces', 'duration', 'cost', 'tokens', 'errors']),
  success: 200,
  output: Type.Object({ conversations: Type.Array(Conversation), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'conversations.get',
  method: 'GET',
  path: '/monitor/conversations/{id}',
  summary:
    'Returns the figures of a conversation, and a page of its traces with inputs, outputs and scores, oldest first.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    id: Type.String({ description: 'The `sessionId` of its traces.' }),
    limit: Limit('Page size; 50 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({
    conversation: Conversation,
    turns: Type.Array(ConversationTurn, { description: 'Its traces.' }),
    nextCursor: NextCursor,
  }),
  errors: ['invalid_request', 'conversation_not_found'],
})
