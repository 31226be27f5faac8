import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, Cursor, Instant, Limit, NamedObject, NextCursor } from '../interface/shapes.ts'
import { Workspace } from './workspaces.ts'

export const Account = NamedObject('Account', 'A person who can sign in to this installation.', {
  id: Type.String({ description: 'Id of the person.' }),
  name: Type.String(),
  email: Type.String(),
  createdAt: Instant('When the account was created.'),
  lockedAt: Type.Optional(Instant('When it was locked; absent if it is not.')),
  lastUsedAt: Type.Optional(
    Instant('When one of its sessions was last used, to the hour; absent without a session.'),
  ),
  signsInBy: Type.Array(Type.Enum(['password', 'oidc']), {
    description: 'How the person signs in: with a password, or through the identity provider.',
  }),
  workspaces: Type.Array(Workspace, {
    description: 'The workspaces of the person, with their role in each.',
  }),
})
export type Account = Static<typeof Account>

const id = Type.String({ description: 'Id of the person.' })
const takeOver = Absentable(
  Type.Boolean({
    description:
      'Makes you an owner of the workspaces that would otherwise have none. Without it, such an account is not deleted.',
  }),
)

export const list = operation({
  name: 'accounts.list',
  method: 'GET',
  path: '/accounts',
  summary: 'Lists the accounts of the installation, newest first.',
  scope: null,
  role: 'operator',
  input: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 254, description: 'Part of the name or the e-mail address.' })),
    limit: Limit('Page size; 100 by default.'),
    cursor: Cursor,
  }),
  success: 200,
  output: Type.Object({ accounts: Type.Array(Account), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})

export const lock = operation({
  name: 'accounts.lock',
  method: 'POST',
  path: '/accounts/{id}/lock',
  summary:
    'Locks an account: its sessions and links end, and it can no longer sign in. API keys that the person created keep working.',
  scope: null,
  role: 'operator',
  input: Type.Object({ id, takeOver }),
  success: 200,
  output: Type.Object({ account: Account }),
  errors: ['invalid_request', 'account_not_found', 'owner_needed'],
})

export const unlock = operation({
  name: 'accounts.unlock',
  method: 'POST',
  path: '/accounts/{id}/unlock',
  summary: 'Lets the person of a locked account sign in again.',
  scope: null,
  role: 'operator',
  input: Type.Object({ id }),
  success: 200,
  output: Type.Object({ account: Account }),
  errors: ['account_not_found'],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'accounts.delete',
  method: 'DELETE',
  path: '/accounts/{id}',
  summary:
    'Deletes an account with its sessions, memberships and sign-in methods. What the person created stays, with their name.',
  scope: null,
  role: 'operator',
  input: Type.Object({ id, takeOver }),
  success: 204,
  output: null,
  errors: ['invalid_request', 'account_not_found', 'owner_needed'],
})

export { remove as delete }
