import type { Invitation, Role } from '@plumbline/contract'
import type { Invitation as StoredInvitation } from '@plumbline/storage/control'

/** An invitation as the interface returns it: never its token. */
export const toInvitation = ({
  role,
  createdAt,
  expiresAt,
  ...invitation
}: StoredInvitation): Invitation => ({
  ...invitation,
  // Safe: only roles in the contract are ever stored.
  role: role as Role,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})
