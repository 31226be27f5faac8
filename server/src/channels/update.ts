import { type ChannelType, type operations, ServiceError } from '@plumbline/contract'
import { creating } from '../refusals.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Verb } from '../verb.ts'
import { type Leads, leadsOf, openLeads, type Reach, sealLeads, targetOf } from './leads.ts'
import { toChannel } from './view.ts'

export const makeUpdate =
  (keyring: Keyring, reach: Reach): Verb<typeof operations.channels.update> =>
  async ({ id, name, url, to, isEnabled }, { workspace, now }) => {
    const before = await workspace.channels.find(id)
    if (before === undefined) throw new ServiceError('channel_not_found', { id })
    const isMoved = before.type === 'email' ? to != null : url != null
    let leads: Leads | undefined
    if (isMoved) {
      // Safe: the contract's schema let only these in.
      leads = leadsOf(before.type as ChannelType, { url, to }, reach)
      // A webhook keeps its secret, so that a receiver that moves has nothing to change.
      const former = leads.type === 'webhook' && openedOrNot(keyring, before.sealed, workspace.id)
      if (former && former.type === 'webhook' && url != null) leads = { ...former, url }
    }
    const changed = workspace.channels.update(
      id,
      {
        name: name ?? undefined,
        leads: leads && { target: targetOf(leads), sealed: sealLeads(keyring, leads, workspace.id) },
        isEnabled: isEnabled ?? undefined,
      },
      now,
    )
    return { channel: toChannel(await creating('channel', name ?? before.name, changed)) }
  }

/** A secret that nobody can open any more is lost: the new one is told when it is rotated. */
function openedOrNot(keyring: Keyring, sealed: string, workspaceId: string): Leads | undefined {
  try {
    return openLeads(keyring, sealed, workspaceId)
  } catch {
    return undefined
  }
}
