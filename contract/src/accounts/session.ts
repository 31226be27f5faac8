import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { NamedObject } from '../interface/shapes.ts'
import { Scopes } from './keys.ts'
import { RoleName, Workspace } from './workspaces.ts'

export const Person = NamedObject('Person', 'Someone who signs in.', {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
})
export type Person = Static<typeof Person>

export const Session = NamedObject('Session', 'Who sends the request, and what they may do.', {
  type: Type.Enum(['person', 'key'], { description: 'How the request was authenticated.' }),
  person: Type.Optional(Person),
  apiKey: Type.Optional(
    Type.Object({ id: Type.String(), name: Type.String() }, { description: 'The key, if it is one.' }),
  ),
  workspace: Type.Optional(Workspace),
  role: Type.Optional(RoleName('Role of the person in this workspace.')),
  scopes: Scopes,
  workspaces: Type.Array(Workspace, { description: 'Every workspace that the caller may choose.' }),
  mayCreateWorkspaces: Type.Boolean({ description: 'Whether `workspaces.create` is open to the caller.' }),
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
    'Returns who sends the request (a person who is signed in or an API key), the workspace, and their permissions.',
  scope: 'read',
  role: 'anyone',
  input: Type.Object({}),
  success: 200,
  output: Session,
  errors: [],
})
