import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { refuseOwnersBelow } from '../people/may-change.ts'
import { keepingAnOwner, roleOf } from './view.ts'

/**
 * Removes a member; calls `onChanged`, so that the user's sessions lose access at once. The user account remains, and so
 * does the name on what the user created.
 */
const remove =
  (onChanged: (personId: string) => void): Verb<typeof operations.members.delete> =>
  async ({ id }, { workspace, caller }) => {
    const isRemoved = await keepingAnOwner(
      workspace.members.remove(id, (member) => refuseOwnersBelow(caller, [roleOf(member)])),
    )
    if (!isRemoved) throw new ServiceError('member_not_found', { id })
    onChanged(id)
    return undefined
  }

export { remove as delete }
