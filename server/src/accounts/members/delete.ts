import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { refuseOwnersBelow } from '../people/may-change.ts'
import { findMember, keepingAnOwner, roleOf } from './view.ts'

/**
 * Takes a member out; `onChanged` hears of it, so that the sessions of the person may do no more here. The person stays, and so
 * does the name on what the person made.
 */
const remove =
  (onChanged: (personId: string) => void): Verb<typeof operations.members.delete> =>
  async ({ id }, { workspace, caller }) => {
    refuseOwnersBelow(caller, [roleOf(await findMember(workspace, id))])
    await keepingAnOwner(workspace.members.remove(id))
    onChanged(id)
    return undefined
  }

export { remove as delete }
