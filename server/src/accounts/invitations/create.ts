import { type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { refuseOwnersBelow } from '../people/may-change.ts'
import { hashToken, linkTo, makeToken } from '../people/one-time-link.ts'
import { toInvitation } from './view.ts'

/** How long an invitation can be accepted. */
const invitationMs = 7 * 24 * 3_600_000

export const create: Verb<typeof operations.invitations.create> = async (
  { email: address, role },
  { workspace, caller, now, linkBase },
) => {
  refuseOwnersBelow(caller, [role])
  const email = address.toLowerCase()
  if ((await workspace.members.list()).some((member) => member.email === email))
    throw new ServiceError('already_exists', { kind: 'member', name: email })
  const token = makeToken()
  const expiresAt = new Date(now.getTime() + invitationMs)
  const input = { email, role, hash: hashToken(token), invitedBy: caller.id, expiresAt }
  const invitation = toInvitation(await workspace.invitations.create(input, now))
  return { invitation, url: linkTo(linkBase, 'invitation', token) }
}
