import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { WorkspaceCreation } from '../workspaces/may-create.ts'
import { get } from './get.ts'

/** Access to a workspace for verbs whose caller may be in none. */
export type WorkspaceOf = (workspaceId: string) => Pick<Workspace, 'members' | 'workspaceName'>

export const sessionRoutes = (workspaceOf: WorkspaceOf, creation: WorkspaceCreation): Route[] => [
  route(operations.session.get, get(workspaceOf, creation)),
]
