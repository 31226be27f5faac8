import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, NamedObject } from '../interface/shapes.ts'
import { LinkMail } from './link-mail.ts'
import { RoleName, Workspace } from './workspaces.ts'

/** What an e-mail address must look like; whether it exists is told by who gets the link. */
export const emailPattern = '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$'

export const Invitation = NamedObject('Invitation', 'An invitation that nobody has accepted yet.', {
  id: Type.String({ format: 'uuid' }),
  email: Type.String({ description: 'Only the person with this address can accept.' }),
  role: RoleName('What the person will be.'),
  createdAt: Instant('When it was made.'),
  expiresAt: Instant('When it expires.'),
})
export type Invitation = Static<typeof Invitation>

export const list = operation({
  name: 'invitations.list',
  method: 'GET',
  path: '/invitations',
  summary: 'Lists the pending invitations, newest first.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ invitations: Type.Array(Invitation) }),
  errors: [],
})

export const create = operation({
  name: 'invitations.create',
  method: 'POST',
  path: '/invitations',
  summary:
    'Invites a person, and mails the link where the service sends mail. Only this response has the link. An earlier invitation of the same address ends.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    email: Type.String({ pattern: emailPattern, maxLength: 254, description: 'Address of the person.' }),
    role: RoleName('Role of the person; only owners invite owners.'),
  }),
  success: 201,
  secretOutput: true,
  output: Type.Object({
    invitation: Invitation,
    url: Type.String({
      format: 'uri-reference',
      description:
        'Link to send to the person; it works once, for seven days. It is a path if `PLUMBLINE_PUBLIC_URL` is not set.',
    }),
    mail: LinkMail,
  }),
  errors: ['invalid_request', 'already_exists'],
})

/** Exported as `delete`, which is no legal name for a constant. */
const withdraw = operation({
  name: 'invitations.delete',
  method: 'DELETE',
  path: '/invitations/{id}',
  summary: 'Withdraws an invitation.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id: Type.String({ description: 'Id of the invitation.' }) }),
  success: 204,
  output: null,
  errors: ['invitation_not_found'],
})

export const accept = operation({
  name: 'invitations.accept',
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Accepts an invitation as the person who is signed in.',
  scope: null,
  role: 'anyone',
  input: Type.Object({ token: Type.String({ description: 'The `token` of the link.' }) }),
  success: 200,
  output: Type.Object({ workspace: Workspace }),
  errors: ['invalid_request', 'link_refused'],
})

export { withdraw as delete }
