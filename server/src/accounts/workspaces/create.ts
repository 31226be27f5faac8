import { type operations, ServiceError } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { creationRefusal, ownedMax, tooManySentence, type WorkspaceCreation } from './may-create.ts'

/** Creates a workspace for the caller; calls `onMember`, so that the next request sees the new membership. */
export const create =
  (
    people: PeopleStore,
    creation: WorkspaceCreation,
    onMember: () => void,
  ): Verb<typeof operations.workspaces.create> =>
  async ({ name }, { caller, now }) => {
    // Read from the store: the session's memberships may include one that was just lost.
    const problem = creationRefusal(creation, await people.memberships(caller.id))
    if (problem !== undefined) throw new ServiceError('forbidden', { problem })
    const workspace = await people.createWorkspace({ name, ownerId: caller.id, ownedMax }, now)
    if (workspace === undefined) throw new ServiceError('forbidden', { problem: tooManySentence })
    onMember()
    return { workspace: { ...workspace, role: 'owner' } }
  }
