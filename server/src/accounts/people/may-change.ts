/** Who may change what a member is. */
import { type Role, ServiceError } from '@plumbline/contract'
import type { Membership } from '@plumbline/storage/control'
import { isAtLeast } from '../../requests/permissions.ts'
import type { Caller } from '../../requests/verb.ts'

/** Refuses who is no owner to make or unmake owners: an admin could else become one. */
export function refuseOwnersBelow(caller: Pick<Caller, 'role'>, memberRoles: readonly Role[]): void {
  if (caller.role !== 'owner' && memberRoles.includes('owner'))
    throw new ServiceError('forbidden', { problem: 'Only an owner may make, change or remove owners.' })
}

/**
 * Whether a caller may do no less than a person in every workspace of that person. Whoever sets a person's password
 * can be that person everywhere.
 */
export const rulesOver = (mine: readonly Membership[], theirs: readonly Membership[]): boolean =>
  theirs.every(({ workspaceId, role }) => {
    const own = mine.find((membership) => membership.workspaceId === workspaceId)
    // Safe: only roles that the contract knows are ever stored.
    return own !== undefined && isAtLeast(own.role as Role, role as Role)
  })
