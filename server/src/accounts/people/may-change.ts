/** Who may change a member. */
import { type Role, ServiceError } from '@plumbline/contract'
import type { Membership } from '@plumbline/storage/control'
import { isAtLeast } from '../../requests/permissions.ts'
import type { Caller } from '../../requests/verb.ts'

/** Lets only owners make or unmake owners: otherwise an admin could become one. */
export function refuseOwnersBelow(caller: Pick<Caller, 'role'>, memberRoles: readonly Role[]): void {
  if (caller.role !== 'owner' && memberRoles.includes('owner'))
    throw new ServiceError('forbidden', { problem: 'Only an owner may add, change or remove owners.' })
}

/**
 * Whether a caller has at least the power of a user in every workspace of that user. Anyone who sets a user's password can
 * act as that user everywhere.
 */
export const rulesOver = (mine: readonly Membership[], theirs: readonly Membership[]): boolean =>
  theirs.every(({ workspaceId, role }) => {
    const own = mine.find((membership) => membership.workspaceId === workspaceId)
    // Safe: only roles in the contract are ever stored.
    return own !== undefined && isAtLeast(own.role as Role, role as Role)
  })
