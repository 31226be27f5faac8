import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, NamedObject } from '../interface/shapes.ts'
import { LinkMail } from './link-mail.ts'
import { RoleName, Workspace } from './workspaces.ts'

/** The form of an e-mail address. Only the mail with the link shows whether the address exists. */
export const emailPattern = '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$'

export const Invitation = NamedObject('Invitation', 'A pending invitation.', {
  id: Type.String({ format: 'uuid' }),
  email: Type.String({ description: 'Only the person with this address can accept.' }),
  role: RoleName('Role that the person will have.'),
  createdAt: Instant('When it was created.'),
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
    'Invites a person, and mails the link if the service can send mail. Only this response contains the link. An earlier invitation to the same address becomes invalid.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    email: Type.String({ pattern: emailPattern, maxLength: 254, description: 'Address of the person.' }),
    role: RoleName('Role of the person; only owners can invite owners.'),
  }),
  success: 201,
  secretOutput: true,
  output: Type.Object({
    invitation: Invitation,
    url: Type.String({
      format: 'uri-reference',
      description:
        'Link to send to the person; it works once and expires after seven days. It is a path if `PLUMBLINE_PUBLIC_URL` is not set.',
    }),
    mail: LinkMail,
  }),
  errors: ['invalid_request', 'already_exists'],
})

/** Exported as `delete`, a reserved word. */
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
  summary: 'Accepts an invitation as the signed-in person.',
  scope: null,
  role: 'anyone',
  input: Type.Object({ token: Type.String({ description: 'The `token` of the link.' }) }),
  success: 200,
  output: Type.Object({ workspace: Workspace }),
  errors: ['invalid_request', 'link_refused'],
})

export { withdraw as delete }
