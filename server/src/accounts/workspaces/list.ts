import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toWorkspace, workspaceOfKey } from '../session/get.ts'
import type { WorkspaceOf } from '../session/routes.ts'

export const list =
  (workspaceOf: WorkspaceOf): Verb<typeof operations.workspaces.list> =>
  async (_input, { caller: { session, workspaceId } }) => ({
    workspaces:
      session === undefined
        ? [await workspaceOfKey(workspaceOf, workspaceId)]
        : session.memberships.map(toWorkspace),
  })
