import { type Member, type Role, ServiceError } from '@plumbline/contract'
import { LastOwner, type Member as StoredMember } from '@plumbline/storage/control'
import type { Workspace } from '../../workspace/workspace.ts'

/** A member as the interface returns it. */
export const toMember = ({ role, joinedAt, ...member }: StoredMember): Member => ({
  ...member,
  role: roleOf({ role }),
  joinedAt: joinedAt.toISOString(),
})

/** Safe: only roles in the contract are ever stored. */
export const roleOf = ({ role }: Pick<StoredMember, 'role'>): Role => role as Role

/** Finds a member by id; throws `member_not_found`. */
export async function findMember({ members }: Pick<Workspace, 'members'>, id: string): Promise<StoredMember> {
  const member = await members.find(id)
  if (member === undefined) throw new ServiceError('member_not_found', { id })
  return member
}

/** Runs a change of a member; throws `last_owner` if the workspace would be left without an owner. */
export async function keepingAnOwner<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change
  } catch (error) {
    if (error instanceof LastOwner) throw new ServiceError('last_owner', undefined, { cause: error })
    throw error
  }
}
