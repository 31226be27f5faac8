import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Instant, NamedObject } from '../interface/shapes.ts'
import { LinkMail } from './link-mail.ts'
import { RoleName } from './workspaces.ts'

export const Member = NamedObject('Member', 'A person in a workspace.', {
  id: Type.String({ description: 'Id of the person.' }),
  name: Type.String(),
  email: Type.String(),
  role: RoleName(
    'What the person may do: viewers read, editors change content, admins also change settings, owners do everything.',
  ),
  joinedAt: Instant('When the person joined the workspace.'),
})
export type Member = Static<typeof Member>

const id = Type.String({ description: 'Id of the member.' })

export const list = operation({
  name: 'members.list',
  method: 'GET',
  path: '/members',
  summary: 'Lists the people of the workspace, in the order in which they joined.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ members: Type.Array(Member) }),
  errors: [],
})

export const update = operation({
  name: 'members.update',
  method: 'PATCH',
  path: '/members/{id}',
  summary:
    'Changes the role of a member. Only owners can add or remove owners, and the last owner cannot be removed.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id, role: RoleName('The new role.') }),
  success: 200,
  output: Type.Object({ member: Member }),
  errors: ['invalid_request', 'member_not_found', 'last_owner'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'members.delete',
  method: 'DELETE',
  path: '/members/{id}',
  summary:
    'Removes a person from the workspace. Only owners can remove owners, and the last owner cannot be removed.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id }),
  success: 204,
  output: null,
  errors: ['member_not_found', 'last_owner'],
})

export const reset = operation({
  name: 'members.reset',
  method: 'POST',
  path: '/members/{id}/reset',
  summary:
    'Creates a link with which a member sets a new password, and mails it if the service can send mail. The member must not have a higher role than you in any workspace.',
  notes: [
    'Rejected for members who sign in with the identity provider and have no password, while it is configured.',
  ],
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ id }),
  success: 201,
  secretOutput: true,
  output: Type.Object({
    url: Type.String({
      format: 'uri-reference',
      description:
        'Link to send to the member, for a single use. It is a path if `PLUMBLINE_PUBLIC_URL` is not set.',
    }),
    expiresAt: Instant('When the link expires.'),
    mail: LinkMail,
  }),
  errors: ['member_not_found'],
})

export { remove as delete }
