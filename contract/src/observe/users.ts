/** End users of the traced applications, and the organizations that they belong to. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { NamedObject, NextCursor, Nullable, Organization } from '../interface/shapes.ts'
import { groupFields, groupInput } from '../traces/trace-groups.ts'

const sorts = ['last', 'first', 'traces', 'cost', 'tokens', 'errors', 'sessions'] as const

export const EndUser = NamedObject('EndUser', 'Figures for an end user of a traced application.', {
  id: Type.String({ description: 'The `user.id` of its traces.' }),
  name: Type.String({ description: 'The name in the latest trace.' }),
  organization: Nullable(Organization),
  sessions: Type.Integer({ description: 'Number of distinct sessions.' }),
  ...groupFields,
})
export type EndUser = Static<typeof EndUser>

export const list = operation({
  name: 'users.list',
  method: 'GET',
  path: '/monitor/users',
  summary:
    'Lists the end users of the traced applications with their traffic, costs and scores, by default the most recently seen first. Filters select the traces, and figures cover only the selected traces.',
  scope: 'read',
  role: 'viewer',
  input: groupInput(sorts),
  success: 200,
  output: Type.Object({ users: Type.Array(EndUser), nextCursor: NextCursor }),
  errors: ['invalid_request'],
})
