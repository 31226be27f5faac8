/** Comments of the people of a workspace on traces, prompts and experiments, with mentions. */
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
  description: 'Its text, in Markdown.',
})
const Mentions = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: commentMentionsMax,
    description: 'Ids of the members it mentions, who find it in `comments.mentions`.',
  }),
)
const id = Type.String({ description: 'Id of the comment.' })

export const Comment = NamedObject('Comment', 'A comment on a trace, a prompt or an experiment.', {
  id,
  subjectType: SubjectType,
  subjectId: SubjectId,
  text: Text,
  mentions: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Id of the person.' }),
      name: Type.Optional(Type.String({ description: 'Absent once the account is deleted.' })),
    }),
    { description: 'People it mentions.' },
  ),
  createdBy: Type.String({ description: 'Id of the person or API key.' }),
  createdByName: Type.Optional(Type.String({ description: 'Current name of that person or key.' })),
  createdAt: Instant('When it was written.'),
  editedAt: Type.Optional(Instant('When its text was last changed.')),
})
export type Comment = Static<typeof Comment>

export const list = operation({
  name: 'comments.list',
  method: 'GET',
  path: '/comments',
  summary: 'Lists the latest 500 comments on a trace, a prompt or an experiment, oldest first.',
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
  input: Type.Object({ limit: Limit('Maximum number to return; 50 by default.') }),
  success: 200,
  output: Type.Object({
    comments: Type.Array(Type.Object({ comment: Comment, isNew: Type.Boolean() })),
    newCount: Type.Integer({ description: 'Number of comments since the last `comments.acknowledge`.' }),
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
  output: Type.Object({ acknowledged: Type.Integer({ description: 'Number of comments that were new.' }) }),
  errors: [],
  audit: 'nothing lasting',
})

export const create = operation({
  name: 'comments.create',
  method: 'POST',
  path: '/comments',
  summary: 'Comments on a trace, a prompt or an experiment.',
  notes: ['Comments are not exported, and are deleted with the trace, the prompt or the experiment.'],
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
  summary: 'Changes the text of a comment. Only its author may do this.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id, text: Text, mentions: Mentions }),
  success: 200,
  output: Type.Object({ comment: Comment }),
  errors: ['invalid_request', 'comment_not_found', 'comment_of_another'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'comments.delete',
  method: 'DELETE',
  path: '/comments/{id}',
  summary: 'Deletes a comment. Only its author and admins may do this.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ id }),
  success: 204,
  output: null,
  errors: ['comment_not_found', 'comment_of_another'],
})

export { remove as delete }
