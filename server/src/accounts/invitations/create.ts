import { type operations, type Role, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { describeEnd, type LinkMailSettings, mailLink } from '../people/link-mails.ts'
import { refuseOwnersBelow } from '../people/may-change.ts'
import { hashToken, linkTo, makeToken } from '../people/one-time-link.ts'
import { toInvitation } from './view.ts'

/** How long an invitation can be accepted. */
const invitationMs = 7 * 24 * 3_600_000

export const create =
  (mailSettings: LinkMailSettings | undefined): Verb<typeof operations.invitations.create> =>
  async ({ email: address, role }, { workspace, caller, now, linkBase }) => {
    refuseOwnersBelow(caller, [role])
    const email = address.toLowerCase()
    if ((await workspace.members.list()).some((member) => member.email === email))
      throw new ServiceError('already_exists', { kind: 'member', name: email })
    const token = makeToken()
    const expiresAt = new Date(now.getTime() + invitationMs)
    const input = { email, role, hash: hashToken(token), invitedBy: caller.id, expiresAt }
    const invitation = toInvitation(await workspace.invitations.create(input, now))
    const url = linkTo(linkBase, 'invitation', token)
    const workspaceName = (await workspace.workspaceName.find()) ?? ''
    const inviter = caller.session?.person.name
    const mail = await mailLink(
      mailSettings,
      invitationMail({ email, role, url, workspaceName, inviter, expiresAt }),
    )
    return { invitation, url, mail }
  }

interface InvitationFacts {
  readonly email: string
  readonly role: Role
  readonly url: string
  readonly workspaceName: string
  /** Undefined if an API key invites. */
  readonly inviter: string | undefined
  readonly expiresAt: Date
}

const invitationMail = ({ email, role, url, workspaceName, inviter, expiresAt }: InvitationFacts) => ({
  to: email,
  subject: `Invitation to ${workspaceName}`,
  before: [
    'Hello,',
    `${inviter === undefined ? 'You are invited' : `${inviter} invites you`} to the workspace “${workspaceName}” on Plumbline, as ${role === 'viewer' ? 'a' : 'an'} ${role}. Plumbline records what LLM applications do and measures how well they do it.`,
  ],
  action: 'Accept the invitation',
  url,
  after: [
    `The link works once, until ${describeEnd(expiresAt)}, and only for ${email}.`,
    'If you did not expect this invitation, you can ignore this mail.',
  ],
})
