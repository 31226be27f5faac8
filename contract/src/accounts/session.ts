import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { NamedObject } from '../interface/shapes.ts'
import { Scopes } from './keys.ts'
import { RoleName, Workspace } from './workspaces.ts'

export const Person = NamedObject('Person', 'A person who signs in.', {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
})
export type Person = Static<typeof Person>

export const Session = NamedObject('Session', 'Who sends the request, and what they may do.', {
  type: Type.Enum(['person', 'key'], { description: 'How the request was authenticated.' }),
  person: Type.Optional(Person),
  apiKey: Type.Optional(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'The API key, if the caller is one.' },
    ),
  ),
  workspace: Type.Optional(Workspace),
  role: Type.Optional(RoleName('Role of the person in this workspace.')),
  scopes: Scopes,
  workspaces: Type.Array(Workspace, { description: 'All workspaces that the caller can select.' }),
  mayCreateWorkspaces: Type.Boolean({ description: 'Whether the caller may call `workspaces.create`.' }),
  isOperator: Type.Boolean({
    description:
      'Whether the caller is an operator: an owner of the first workspace, who manages all accounts.',
  }),
})
export type Session = Static<typeof Session>

export const get = operation({
  name: 'session.get',
  method: 'GET',
  path: '/session',
  summary:
    'Returns the caller (a signed-in person or an API key), the workspace, and the permissions of the caller.',
  scope: 'read',
  role: 'anyone',
  input: Type.Object({}),
  success: 200,
  output: Session,
  errors: [],
})
