import { invalid, type operations, ServiceError } from '@plumbline/contract'
import { defaultWorkspaceId, type WorkspaceDeletions } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'

/** Marks the workspace as deleted, which makes it inaccessible at once; `onMarked` is called to do the rest. */
const remove =
  (
    deletions: Pick<WorkspaceDeletions, 'begin'>,
    onMarked: (workspaceId: string) => void,
  ): Verb<typeof operations.workspaces.delete> =>
  async ({ name }, { workspace, now }) => {
    if (workspace.id === defaultWorkspaceId)
      throw new ServiceError('forbidden', {
        problem: 'The first workspace belongs to the installation and cannot be deleted.',
      })
    if (name !== (await workspace.workspaceName.find()))
      throw invalid('name', 'must be the name of the workspace to delete')
    await deletions.begin(workspace.id, now)
    onMarked(workspace.id)
    return undefined
  }

export { remove as delete }
