import type { operations } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import type { Verb } from '../verb.ts'

/** Makes a workspace for the person who asks; `onMember` is told, so that the next request knows of it. */
export const create =
  (people: PeopleStore, onMember: () => void): Verb<typeof operations.workspaces.create> =>
  async ({ name }, { caller, now }) => {
    const made = await people.createWorkspace({ name, ownerId: caller.id }, now)
    onMember()
    return { workspace: { ...made, role: 'owner' } }
  }
