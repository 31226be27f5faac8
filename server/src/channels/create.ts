import type { operations } from '@plumbline/contract'
import { creating } from '../refusals.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Verb } from '../verb.ts'
import { leadsOf, type Reach, sealLeads, targetOf } from './leads.ts'
import { toChannel } from './view.ts'

export const makeCreate =
  (keyring: Keyring, reach: Reach): Verb<typeof operations.channels.create> =>
  async ({ name, type, url, to }, { workspace, now }) => {
    const leads = leadsOf(type, { url, to }, reach)
    const sealed = sealLeads(keyring, leads, workspace.id)
    const created = workspace.channels.create({ name, type, target: targetOf(leads), sealed }, now)
    const channel = toChannel(await creating('channel', name, created))
    return { channel, secret: leads.type === 'webhook' ? leads.secret : null }
  }
