import { type operations, ServiceError } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { creationRefusal, ownedMax, tooManySentence, type WorkspaceCreation } from './may-create.ts'

/** Makes a workspace for the person who asks; `onMember` hears of it, so that the next request knows of it. */
export const create =
  (
    people: PeopleStore,
    creation: WorkspaceCreation,
    onMember: () => void,
  ): Verb<typeof operations.workspaces.create> =>
  async ({ name }, { caller, now }) => {
    // Memberships of a moment ago might tell of one that has just been lost.
    const problem = creationRefusal(creation, await people.memberships(caller.id))
    if (problem !== undefined) throw new ServiceError('forbidden', { problem })
    const workspace = await people.createWorkspace({ name, ownerId: caller.id, ownedMax }, now)
    if (workspace === undefined) throw new ServiceError('forbidden', { problem: tooManySentence })
    onMember()
    return { workspace: { ...workspace, role: 'owner' } }
  }
