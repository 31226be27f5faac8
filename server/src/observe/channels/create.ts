import type { operations } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { type ChannelPolicy, maskTarget, readTarget, sealTarget } from './channel-secrets.ts'
import { toChannel } from './view.ts'

export const makeCreate =
  (keyring: Keyring, channelPolicy: ChannelPolicy): Verb<typeof operations.channels.create> =>
  async ({ name, type, url, to, events }, { workspace, now }) => {
    const channelTarget = readTarget(type, { url, to }, channelPolicy)
    const sealed = sealTarget(keyring, channelTarget, workspace.id)
    const target = maskTarget(channelTarget)
    const created = workspace.channels.create({ name, type, target, sealed, events: events ?? [] }, now)
    const channel = toChannel(await mapConflict('channel', name, created))
    return { channel, secret: channelTarget.type === 'webhook' ? channelTarget.secret : null }
  }
