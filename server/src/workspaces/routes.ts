import { operations } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import type { WorkspaceOf } from '../session/routes.ts'
import { type Route, route } from '../verb.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import type { WorkspaceCreation } from './may-create.ts'
import { update } from './update.ts'

export const workspaceRoutes = (
  people: PeopleStore,
  workspaceOf: WorkspaceOf,
  creation: WorkspaceCreation,
  onMember: () => void,
): Route[] => [
  route(operations.workspaces.list, list(workspaceOf)),
  route(operations.workspaces.create, create(people, creation, onMember)),
  route(operations.workspaces.get, get),
  route(operations.workspaces.update, update),
]
