/** Protected tags, whose moves someone else has to approve. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Instant, NamedObject, Nullable } from '../interface/shapes.ts'

const approvalStatuses = ['pending', 'approved', 'rejected'] as const

const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Tags that are protected in every prompt, such as `production`; never `latest`.',
})
const Reason = Type.String({ maxLength: 2000, description: 'The reason; "" if none was given.' })

export const Approval = NamedObject('Approval', 'A requested move of a protected tag.', {
  id: Type.String({ format: 'uuid' }),
  promptSlug: Type.String(),
  tag: Type.String(),
  from: Nullable(Type.String({ description: 'The version that had the tag when the move was requested.' })),
  version: Type.String({ description: 'The version that gets the tag.' }),
  message: Type.String({ description: 'Why the tag should move; "" if none was given.' }),
  status: Type.Enum([...approvalStatuses], { description: '`approved`: the tag moved.' }),
  requestedBy: Type.String({ description: 'Id of the person or API key.' }),
  requestedByName: Type.Optional(Type.String({ description: 'Current name of that person or key.' })),
  keyCreatedBy: Type.Optional(
    Type.String({
      description:
        'Id of the person who created the API key that requested it, if known; that person cannot approve it.',
    }),
  ),
  requestedAt: Instant('When it was requested.'),
  decidedBy: Nullable(
    Type.String({ description: 'Id of the person who decided; null while it is pending.' }),
  ),
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
    'Replaces the protected tags of the workspace. A protected tag moves only through an approved request; rollouts of it are rejected.',
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
  summary: 'Lists the latest 200 requests to move protected tags, newest first.',
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
  summary: 'Requests a move of a protected tag to a version.',
  notes: ['A pending request for the same tag of the prompt is rejected and replaced.'],
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
    'Approves a pending request, which moves the tag, or rejects it. The person who requested the move, directly or with an API key that they created, can reject it but not approve it.',
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
