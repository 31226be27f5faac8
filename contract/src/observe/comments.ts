/** Comments of the people of a workspace on traces, prompts and experiments, and whom they mention. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, Limit, NamedObject } from '../interface/shapes.ts'

export const commentSubjects = ['trace', 'prompt', 'experiment'] as const
export type CommentSubject = (typeof commentSubjects)[number]

export const commentLengthMax = 10_000
const commentMentionsMax = 50

const SubjectType = Type.Enum([...commentSubjects], { description: 'What the comment is on.' })
const SubjectId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Id of the trace or the experiment, or slug of the prompt.',
})
const Text = Type.String({
  minLength: 1,
  maxLength: commentLengthMax,
  pattern: '\\S',
  description: 'What it says, in Markdown.',
})
const Mentions = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: commentMentionsMax,
    description: 'Ids of members whom it mentions: they find it in `comments.mentions`.',
  }),
)
const id = Type.String({ description: 'Id of the comment.' })

export const Comment = NamedObject('Comment', 'What somebody said of a trace, a prompt or an experiment.', {
  id,
  subjectType: SubjectType,
  subjectId: SubjectId,
  text: Text,
  mentions: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Id of the person.' }),
      name: Type.Optional(Type.String({ description: 'Absent once the account is deleted.' })),
    }),
    { description: 'Whom it mentions.' },
  ),
  createdBy: Type.String({ description: 'Id of the person or the API key.' }),
  createdByName: Type.Optional(Type.String({ description: 'What the person or the key is called.' })),
  createdAt: Instant('When it was written.'),
  editedAt: Type.Optional(Instant('When its text was last changed.')),
})
export type Comment = Static<typeof Comment>

export const list = operation({
  name: 'comments.list',
  method: 'GET',
  path: '/comments',
  summary: 'Lists the comments on a trace, a prompt or an experiment, oldest first: the latest 500.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ subjectType: SubjectType, subjectId: SubjectId }),
  success: 200,
  output: Type.Object({ comments: Type.Array(Comment) }),
  errors: ['invalid_request'],
})

export const mentions = operation({
  name: 'comments.mentions',
  method: 'GET',
  path: '/comments/mentions',
  summary: 'Lists the comments that mention the caller, newest first, and counts those that are new.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ limit: Limit('How many to return; 50 by default.') }),
  success: 200,
  output: Type.Object({
    comments: Type.Array(Type.Object({ comment: Comment, isNew: Type.Boolean() })),
    newCount: Type.Integer({ description: 'Comments since the last `comments.acknowledge`.' }),
  }),
  errors: ['invalid_request'],
})

export const acknowledge = operation({
  name: 'comments.acknowledge',
  method: 'POST',
  path: '/comments/mentions/acknowledge',
  summary: 'Marks the comments that mention the caller as seen.',
  scope: null,
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ acknowledged: Type.Integer({ description: 'How many were new.' }) }),
  errors: [],
  audit: 'nothing lasting',
})

export const create = operation({
  name: 'comments.create',
  method: 'POST',
  path: '/comments',
  summary: 'Comments on a trace, a prompt or an experiment.',
  notes: ['Comments are not exported, and go with the trace, the prompt or the experiment.'],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ subjectType: SubjectType, subjectId: SubjectId, text: Text, mentions: Mentions }),
  success: 201,
  output: Type.Object({ comment: Comment }),
  errors: ['invalid_request', 'trace_not_found', 'prompt_not_found', 'experiment_not_found'],
})

export const update = operation({
  name: 'comments.update',
  method: 'PATCH',
  path: '/comments/{id}',
  summary: 'Changes the text of a comment; only its author can.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id, text: Text, mentions: Mentions }),
  success: 200,
  output: Type.Object({ comment: Comment }),
  errors: ['invalid_request', 'comment_not_found', 'comment_of_another'],
})

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'comments.delete',
  method: 'DELETE',
  path: '/comments/{id}',
  summary: 'Deletes a comment; its author can, and admins can.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id }),
  success: 204,
  output: null,
  errors: ['comment_not_found', 'comment_of_another'],
})

export { remove as delete }
