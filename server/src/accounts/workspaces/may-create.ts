/** Who may create workspaces, and how many. */
import type { Membership } from '@plumbline/storage/control'

/** The values of PLUMBLINE_WORKSPACE_CREATION. */
export type WorkspaceCreation = 'owners' | 'everyone'

/** How many workspaces one user may own: enough for many teams, and too few to fill the disk. */
export const ownedMax = 20

/** Why a user may not create a workspace; undefined if permitted. */
export function creationRefusal(
  creation: WorkspaceCreation,
  memberships: readonly Membership[],
): string | undefined {
  if (memberships.length === 0) return 'You are not a member of any workspace; ask someone to invite you.'
  const owned = memberships.filter(({ role }) => role === 'owner').length
  if (creation === 'owners' && owned === 0)
    return 'Only workspace owners may create workspaces; ask an owner.'
  return owned >= ownedMax ? tooManySentence : undefined
}

export const tooManySentence = `You own ${ownedMax} workspaces, which is the maximum; delete one first.`
