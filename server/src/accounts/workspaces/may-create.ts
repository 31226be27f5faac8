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
  if (memberships.length === 0) return 'You are in no workspace: ask somebody to invite you.'
  const owned = memberships.filter(({ role }) => role === 'owner').length
  if (creation === 'owners' && owned === 0)
    return 'Only people who own a workspace may create another; ask an owner.'
  return owned >= ownedMax ? tooManySentence : undefined
}

export const tooManySentence = `You own ${ownedMax} workspaces, and nobody may own more; delete one first.`
