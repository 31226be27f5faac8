import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { refuseOwnersBelow } from '../people/may-change.ts'
import { keepingAnOwner, roleOf, toMember } from './view.ts'

/** Changes a role; `onChanged` hears of it, so that the sessions of the member may do no more here. */
export const update =
  (onChanged: (personId: string) => void): Verb<typeof operations.members.update> =>
  async ({ id, role }, { workspace, caller }) => {
    const changed = await keepingAnOwner(
      workspace.members.update(id, role, (member) => refuseOwnersBelow(caller, [role, roleOf(member)])),
    )
    if (changed === undefined) throw new ServiceError('member_not_found', { id })
    onChanged(id)
    return { member: toMember(changed) }
  }
