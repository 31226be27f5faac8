import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { refuseOwnersBelow } from '../people/may-change.ts'
import { findMember, keepingAnOwner, roleOf, toMember } from './view.ts'

/** Changes a role; `onChanged` hears of it, so that the sessions of the member may do no more here. */
export const update =
  (onChanged: (personId: string) => void): Verb<typeof operations.members.update> =>
  async ({ id, role }, { workspace, caller }) => {
    const member = await findMember(workspace, id)
    refuseOwnersBelow(caller, [role, roleOf(member)])
    const changed = await keepingAnOwner(workspace.members.update(id, role))
    if (changed === undefined) throw new ServiceError('member_not_found', { id })
    onChanged(id)
    return { member: toMember(changed) }
  }
