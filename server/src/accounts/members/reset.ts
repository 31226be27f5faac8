import { type operations, ServiceError } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { describeEnd, type LinkMailSettings, mailLink } from '../people/link-mails.ts'
import { rulesOver } from '../people/may-change.ts'
import { hashToken, linkTo, makeToken } from '../people/one-time-link.ts'
import { findMember } from './view.ts'

/** How long a password link is valid. */
const linkMs = 24 * 3_600_000

interface ResetParts {
  readonly people: PeopleStore
  /** The display name of the identity provider; undefined if there is none. */
  readonly providerName: string | undefined
  /** Undefined if the service mails no links. */
  readonly linkMails: LinkMailSettings | undefined
}

export const reset =
  ({ people, providerName, linkMails }: ResetParts): Verb<typeof operations.members.reset> =>
  async ({ id }, { workspace, caller, now, linkBase }) => {
    const { name, email } = await findMember(workspace, id)
    // A password would bypass the provider, also for the creator of the link.
    if (providerName !== undefined && (await signsInByProviderOnly(people, id)))
      throw new ServiceError('forbidden', {
        problem: `This member signs in with ${providerName}, and has no password to reset.`,
      })
    const ofKey = [{ workspaceId: caller.workspaceId, workspaceName: '', role: caller.role }]
    const token = makeToken()
    const expiresAt = new Date(now.getTime() + linkMs)
    const isAdded = await people.addPasswordLink(
      { hash: hashToken(token), personId: id, expiresAt, makerId: caller.session?.person.id },
      (theirs, mine = ofKey) => rulesOver(mine, theirs),
      now,
    )
    if (!isAdded)
      throw new ServiceError('forbidden', {
        problem:
          'This member has more permissions than you, here or in another workspace; ask an owner there.',
      })
    const url = linkTo(linkBase, 'password', token)
    const mail = await mailLink(linkMails, {
      to: email,
      subject: 'Choose a new password',
      before: [
        `Hello ${name},`,
        'an admin of your Plumbline workspace created a link for you to choose a new password.',
      ],
      action: 'Choose a new password',
      url,
      after: [
        `The link works once, until ${describeEnd(expiresAt)}. Using it signs you out everywhere else.`,
        'If you did not ask for this, tell your admin; your password does not change until the link is used.',
      ],
    })
    return { url, expiresAt: expiresAt.toISOString(), mail }
  }

async function signsInByProviderOnly({ accounts }: PeopleStore, id: string): Promise<boolean> {
  const { providers = [] } = (await accounts.find(id)) ?? {}
  return providers.length > 0 && !providers.includes('credential')
}
