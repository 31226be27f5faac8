import type { operations, Role, Session, Workspace } from '@plumbline/contract'
import type { Membership } from '@plumbline/storage/control'
import { isOperator } from '../../requests/permissions.ts'
import type { Verb } from '../../requests/verb.ts'
import { creationRefusal, type WorkspaceCreation } from '../workspaces/may-create.ts'
import type { WorkspaceOf } from './routes.ts'

export const get =
  (workspaceOf: WorkspaceOf, creation: WorkspaceCreation): Verb<typeof operations.session.get> =>
  async (_input, { caller }): Promise<Session> => {
    const { id, session, workspaceId, scopes } = caller
    if (session !== undefined) {
      const workspaces = session.memberships.map(toWorkspace)
      const workspace = workspaces.find((candidate) => candidate.id === workspaceId)
      return {
        type: 'person',
        person: session.person,
        ...(workspace === undefined ? {} : { workspace, role: workspace.role }),
        scopes: [...scopes],
        workspaces,
        mayCreateWorkspaces: creationRefusal(creation, session.memberships) === undefined,
        isOperator: isOperator(session.memberships),
      }
    }
    const workspace = await workspaceOfKey(workspaceOf, workspaceId)
    const name = (await workspaceOf(workspace.id).members.names([id])).get(id) ?? ''
    return {
      type: 'key',
      apiKey: { id, name },
      workspace,
      scopes: [...scopes],
      workspaces: [workspace],
      mayCreateWorkspaces: false,
      isOperator: false,
    }
  }

/** A workspace as one of its members sees it. */
export const toWorkspace = ({
  workspaceId,
  workspaceName,
  role,
}: Membership): Workspace & { role: Role } => ({
  id: workspaceId,
  name: workspaceName,
  // Safe: only roles in the contract are ever stored.
  role: role as Role,
})

/** The workspace of an API key. */
export async function workspaceOfKey(workspaceOf: WorkspaceOf, id: string | undefined): Promise<Workspace> {
  if (id === undefined) throw new Error('An API key always belongs to a workspace.')
  return { id, name: (await workspaceOf(id).workspaceName.find()) ?? '' }
}
