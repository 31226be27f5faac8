import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { refuseOwnersBelow } from '../people/may-change.ts'
import { keepingAnOwner, roleOf, toMember } from './view.ts'

/** Changes a role; calls `onChanged`, so that the change applies to the member's sessions at once. */
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
