import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { refuseOwnersBelow } from '../people/may-change.ts'
import { findMember, keepingAnOwner, roleOf } from './view.ts'

/** Takes a member out. The person stays, and so does the name on what the person made. */
const remove: Verb<typeof operations.members.delete> = async ({ id }, { workspace, caller }) => {
  refuseOwnersBelow(caller, [roleOf(await findMember(workspace, id))])
  await keepingAnOwner(workspace.members.remove(id))
  return undefined
}

export { remove as delete }
