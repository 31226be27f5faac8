/** The permitted changes to a member, and the reasons against them. Pure. */
import type { Member } from '@plumbline/sdk'
import type { Role } from '../../app/session.tsx'

/** The signed-in user, whose role decides which roles they may assign and remove. */
export interface Looking {
  readonly id: string
  readonly role: Role
}

const roleChoices = [
  { value: 'viewer', label: 'Viewer', hint: 'Reads everything except secrets' },
  { value: 'editor', label: 'Editor', hint: 'Changes prompts, datasets, evaluators' },
  { value: 'admin', label: 'Admin', hint: 'Changes settings: keys, members, prices' },
  { value: 'owner', label: 'Owner', hint: 'Manages owners' },
] as const satisfies readonly { value: Role; label: string; hint: string }[]

/** The roles that a user may assign: only owners can make owners. */
export const givableRoles = (role: Role) =>
  roleChoices.filter(({ value }) => value !== 'owner' || role === 'owner')

/** Why a member's role cannot be changed, nor the member removed; undefined if they can. */
export function whyFixed(member: Member, members: readonly Member[], viewer: Looking): string | undefined {
  if (member.role !== 'owner') return undefined
  if (viewer.role !== 'owner') return 'Only owners can change owners'
  const owners = members.filter(({ role }) => role === 'owner').length
  return owners === 1 ? 'This is the only owner. Add another first' : undefined
}
