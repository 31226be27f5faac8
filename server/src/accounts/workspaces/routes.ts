import { operations } from '@plumbline/contract'
import type { PeopleStore, WorkspaceDeletions } from '@plumbline/storage/control'
import { type Route, route } from '../../requests/verb.ts'
import type { WorkspaceOf } from '../session/routes.ts'
import { create } from './create.ts'
import { delete as remove } from './delete.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import type { WorkspaceCreation } from './may-create.ts'
import { update } from './update.ts'

export interface DeletingParts {
  readonly deletions: WorkspaceDeletions
  /** Called with a workspace that is to be deleted. */
  readonly onMarked: (workspaceId: string) => void
}

export const workspaceRoutes = (
  people: PeopleStore,
  workspaceOf: WorkspaceOf,
  creation: WorkspaceCreation,
  onMember: () => void,
  { deletions, onMarked }: DeletingParts,
): Route[] => [
  route(operations.workspaces.list, list(workspaceOf)),
  route(operations.workspaces.create, create(people, creation, onMember)),
  route(operations.workspaces.get, get),
  route(operations.workspaces.update, update),
  route(operations.workspaces.delete, remove(deletions, onMarked)),
]
