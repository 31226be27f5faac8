import { type operations, type Role, ServiceError } from '@plumbline/contract'
import type { OpenInvitation, PeopleStore } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { hashToken } from '../people/one-time-link.ts'

/** Makes the caller a member; calls `onMember`, so that the next request sees the membership. */
export const accept =
  (people: PeopleStore, onMember: () => void): Verb<typeof operations.invitations.accept> =>
  async ({ token }, { caller, now }) => {
    const invitation = await openInvitation(people, token, now)
    if (invitation.email !== caller.session?.person.email)
      throw new ServiceError('link_refused', {
        problem: `This invitation is for ${invitation.email}; sign in with that address.`,
      })
    if (!(await people.accept(invitation, caller.id, now))) throw invitationRefusal()
    onMember()
    // Safe: only roles in the contract are ever stored.
    const role = invitation.role as Role
    return { workspace: { id: invitation.workspaceId, name: invitation.workspaceName, role } }
  }

/** The open invitation for a token; throws if it has expired or was used. */
export async function openInvitation(people: PeopleStore, token: string, now: Date): Promise<OpenInvitation> {
  const invitation = await people.findInvitation(hashToken(token), now)
  if (invitation === undefined) throw invitationRefusal()
  return invitation
}

/** The error for an invitation that is no longer valid, or never was. */
export const invitationRefusal = () =>
  new ServiceError('link_refused', {
    problem: 'This invitation was already accepted, was withdrawn or has expired; ask for a new one.',
  })
