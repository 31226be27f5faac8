import { type Static, Type } from 'typebox'
import { operation, roles } from './operation.ts'
import { named } from './shapes.ts'

export const RoleName = (description: string) => Type.Enum([...roles], { description })

const name = Type.String({ minLength: 1, maxLength: 128, description: 'What it is called.' })

export const Workspace = named('Workspace', 'A tenant: what one team records and edits.', {
  id: Type.String({ description: 'Send it as the header `Plumbline-Workspace` to choose this workspace.' }),
  name: Type.String(),
  role: Type.Optional(RoleName('What the person is in it; absent for an API key.')),
})
export type Workspace = Static<typeof Workspace>

export const list = operation({
  name: 'workspaces.list',
  method: 'GET',
  path: '/workspaces',
  summary: 'Lists the workspaces of the person who asks, or the one of the API key.',
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
  summary: 'Creates a workspace, whose owner is the person who asks.',
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
  summary: 'Answers the workspace that the request is about.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ workspace: Workspace }),
  errors: [],
})

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'workspaces.delete',
  method: 'POST',
  path: '/workspace/delete',
  summary:
    'Deletes the workspace that the request is about, with everything in it. Nobody reaches it from then on, and nothing brings it back.',
  scope: null,
  role: 'owner',
  input: Type.Object({
    name: Type.String({ description: 'The name of the workspace, to show that it is the one you mean.' }),
  }),
  success: 204,
  output: null,
  errors: ['invalid_request'],
})

export const update = operation({
  name: 'workspaces.update',
  method: 'PATCH',
  path: '/workspace',
  summary: 'Renames the workspace that the request is about.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ name }),
  success: 200,
  output: Type.Object({ workspace: Workspace }),
  errors: ['invalid_request'],
})

export { remove as delete }
