import { type Static, Type } from 'typebox'
import { operation, roles } from '../interface/operation.ts'
import { NamedObject } from '../interface/shapes.ts'

export const RoleName = (description: string) => Type.Enum([...roles], { description })

const name = Type.String({ minLength: 1, maxLength: 128, description: 'Name of the workspace.' })

export const Workspace = NamedObject('Workspace', 'A tenant, with all that one team records and edits.', {
  id: Type.String({
    description: 'Id; send it in the header `Plumbline-Workspace` to select this workspace.',
  }),
  name: Type.String(),
  role: Type.Optional(RoleName('Role of the person in it; absent for an API key.')),
})
export type Workspace = Static<typeof Workspace>

export const list = operation({
  name: 'workspaces.list',
  method: 'GET',
  path: '/workspaces',
  summary: 'Lists the workspaces of the person, or the one of the API key.',
  scope: 'read',
  role: 'anyone',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ workspaces: Type.Array(Workspace) }),
  errors: [],
})

export const create = operation({
  name: 'workspaces.create',
  method: 'POST',
  path: '/workspaces',
  summary: 'Creates a workspace. The person who sends the request becomes its owner.',
  scope: null,
  role: 'anyone',
  input: Type.Object({ name }),
  success: 201,
  output: Type.Object({ workspace: Workspace }),
  errors: ['invalid_request'],
})

export const get = operation({
  name: 'workspaces.get',
  method: 'GET',
  path: '/workspace',
  summary: 'Returns the workspace of the request.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ workspace: Workspace }),
  errors: [],
})

/** Exported as `delete`, a reserved word. */
const remove = operation({
  name: 'workspaces.delete',
  method: 'POST',
  path: '/workspace/delete',
  summary:
    'Permanently deletes the workspace of the request with everything in it. It becomes inaccessible at once.',
  scope: null,
  role: 'owner',
  input: Type.Object({
    name: Type.String({ description: 'The name of the workspace, to confirm the deletion.' }),
  }),
  success: 204,
  output: null,
  errors: ['invalid_request'],
})

export const update = operation({
  name: 'workspaces.update',
  method: 'PATCH',
  path: '/workspace',
  summary: 'Renames the workspace of the request.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ name }),
  success: 200,
  output: Type.Object({ workspace: Workspace }),
  errors: ['invalid_request'],
})

export { remove as delete }
