import { type operations, ServiceError } from '@plumbline/contract'
import type { PeopleStore } from '@plumbline/storage/control'
import type { Verb } from '../../requests/verb.ts'
import { rulesOver } from '../people/may-change.ts'
import { hashToken, linkTo, makeToken } from '../people/one-time-link.ts'
import { findMember } from './view.ts'

/** How long a link to a new password works. */
const linkMs = 24 * 3_600_000

export const reset =
  (people: PeopleStore, providerName: string | undefined): Verb<typeof operations.members.reset> =>
  async ({ id }, { workspace, caller, now, linkBase }) => {
    await findMember(workspace, id)
    // A password would be a way past the provider, for whoever made the link too.
    if (providerName !== undefined && (await signsInByProviderOnly(people, id)))
      throw new ServiceError('forbidden', {
        problem: `This member signs in with ${providerName}, and has no password that could be replaced.`,
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
        problem: 'This member may do more than you, here or in another workspace; ask an owner there.',
      })
    return { url: linkTo(linkBase, 'password', token), expiresAt: expiresAt.toISOString() }
  }

async function signsInByProviderOnly({ accounts }: PeopleStore, id: string): Promise<boolean> {
  const { providers = [] } = (await accounts.find(id)) ?? {}
  return providers.length > 0 && !providers.includes('credential')
}
