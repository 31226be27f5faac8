/** Protected tags, and the moves of them that somebody else approves. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Instant, NamedObject, Nullable } from '../interface/shapes.ts'

const approvalStatuses = ['pending', 'approved', 'rejected'] as const

const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Tags of any prompt, such as `production`; never `latest`.',
})
const Reason = Type.String({ maxLength: 2000, description: 'Why; "" if none was given.' })

export const Approval = NamedObject('Approval', 'A requested move of a protected tag.', {
  id: Type.String({ format: 'uuid' }),
  promptSlug: Type.String(),
  tag: Type.String(),
  from: Nullable(Type.String({ description: 'The version that had the tag when the move was requested.' })),
  version: Type.String({ description: 'The version that gets the tag.' }),
  message: Type.String({ description: 'Why it should move; "" if not told.' }),
  status: Type.Enum([...approvalStatuses], { description: '`approved`: the tag moved.' }),
  requestedBy: Type.String({ description: 'Id of the person or API key.' }),
  requestedByName: Type.Optional(Type.String({ description: 'Current name of that person or key.' })),
  keyCreatedBy: Type.Optional(
    Type.String({
      description:
        'Id of the person who made the API key that requested it, if known: they cannot approve it.',
    }),
  ),
  requestedAt: Instant('When it was requested.'),
  decidedBy: Nullable(Type.String({ description: 'Id of the person; null while it is pending.' })),
  decidedByName: Type.Optional(Type.String({ description: 'Current name of that person.' })),
  decidedAt: Nullable(Instant('When it was decided.')),
  reason: Reason,
})
export type Approval = Static<typeof Approval>

export const tags = operation({
  name: 'approvals.tags',
  method: 'GET',
  path: '/approvals/tags',
  summary: 'Lists the protected tags of the workspace.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ tags: Tags }),
  errors: [],
})

export const configure = operation({
  name: 'approvals.configure',
  method: 'PUT',
  path: '/approvals/tags',
  summary:
    'Replaces the protected tags of the workspace. A protected tag moves only by an approved request; rollouts of it are refused.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ tags: Tags }),
  success: 200,
  output: Type.Object({ tags: Tags }),
  errors: ['invalid_request'],
})

export const list = operation({
  name: 'approvals.list',
  method: 'GET',
  path: '/approvals',
  summary: 'Lists requested moves of protected tags, newest first: the latest 200.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({
    promptSlug: Type.Optional(Type.String({ description: 'Only those of this prompt.' })),
    status: Type.Optional(Type.Enum([...approvalStatuses], { description: 'Only those with this status.' })),
  }),
  success: 200,
  output: Type.Object({ approvals: Type.Array(Approval) }),
  errors: ['invalid_request'],
})

export const create = operation({
  name: 'approvals.create',
  method: 'POST',
  path: '/approvals',
  summary: 'Requests that a protected tag moves to a version.',
  notes: ['A pending request for the same tag of the prompt is replaced: it is rejected.'],
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    promptSlug: Type.String({ description: 'Slug of the prompt.' }),
    tag: Type.String({ minLength: 1, maxLength: 128, description: 'The protected tag.' }),
    version: Type.String({ description: 'The version that gets the tag.' }),
    message: Absentable(Type.String({ maxLength: 2000, description: 'Why it should move.' })),
  }),
  success: 201,
  output: Type.Object({ approval: Approval }),
  errors: ['invalid_request', 'prompt_not_found', 'version_not_found'],
})

export const decide = operation({
  name: 'approvals.decide',
  method: 'POST',
  path: '/approvals/{id}/decide',
  summary:
    'Approves a pending request, which moves the tag, or rejects it. Whoever requested the move, in person or by an API key that they made, may reject it and not approve it.',
  scope: null,
  editsWorkspace: true,
  role: 'admin',
  input: Type.Object({
    id: Type.String({ description: 'Id of the request.' }),
    isApproved: Type.Boolean({ description: 'Whether the tag moves.' }),
    reason: Absentable(Reason),
  }),
  success: 200,
  output: Type.Object({ approval: Approval }),
  errors: ['invalid_request', 'approval_not_found', 'approval_decided', 'own_approval', 'version_not_found'],
})
