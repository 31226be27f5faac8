/** Which of a user's workspaces a request is about. */
import { ServiceError } from '@plumbline/contract'
import type { Membership } from '@plumbline/storage/control'

/** The header and the cookie by which a page selects one. */
export const workspaceChoice = 'plumbline-workspace'

/**
 * The workspace in the header, else the one in the cookie, else the oldest membership. The header must name one of the
 * user's workspaces; a cookie may be outdated.
 */
export function chooseWorkspace(
  memberships: readonly Membership[],
  { header, cookie }: { readonly header: string | undefined; readonly cookie: string | undefined },
): Membership | undefined {
  if (header === undefined)
    return memberships.find((membership) => membership.workspaceId === cookie) ?? memberships[0]
  const requestedMembership = memberships.find((membership) => membership.workspaceId === header)
  if (requestedMembership === undefined)
    throw new ServiceError('forbidden', { problem: 'You are not a member of this workspace.' })
  return requestedMembership
}
