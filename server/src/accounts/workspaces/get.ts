import type { operations, Workspace } from '@plumbline/contract'
import type { Caller, Verb } from '../../requests/verb.ts'
import type { Workspace as WorkspaceStores } from '../../workspace/workspace.ts'

export const get: Verb<typeof operations.workspaces.get> = async (_input, { workspace, caller }) => ({
  workspace: await toWorkspace(workspace, caller),
})

/** The workspace as its caller sees it. */
export async function toWorkspace(
  { id, workspaceName }: Pick<WorkspaceStores, 'id' | 'workspaceName'>,
  { session, role }: Caller,
): Promise<Workspace> {
  const name = (await workspaceName.find()) ?? ''
  return session === undefined ? { id, name } : { id, name, role }
}
