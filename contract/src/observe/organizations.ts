/** Organizations of end users, often the customers of a company. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { NamedObject, NextCursor } from '../interface/shapes.ts'
import { groupFields, groupInput } from '../traces/trace-groups.ts'

export const EndOrganization = NamedObject('EndOrganization', 'Figures for an organization of end users.', {
  id: Type.String({ description: 'The `organization.id` of its traces.' }),
  name: Type.String({ description: 'The name in the latest trace.' }),
  users: Type.Integer({ description: 'Number of distinct end users.' }),
  sessions: Type.Integer({ description: 'Number of distinct sessions.' }),
  ...groupFields,
})
export type EndOrganization = Static<typeof EndOrganization>

export const list = operation({
  name: 'organizations.list',
  method: 'GET',
  path: '/monitor/organizations',
  summary:
    'Lists the organizations of end users with their traffic, costs and scores, by default the most recently seen first. Filters select the traces, and figures cover only the selected traces.',
  scope: 'read',
  role: 'viewer',
  input: groupInput(['last', 'first', 'traces', 'cost', 'tokens', 'errors', 'sessions']),
  success: 200,
  output: Type.Object({ organizations: Type.Array(EndOrganization), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})
