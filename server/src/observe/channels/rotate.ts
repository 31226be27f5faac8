import { invalid, type operations } from '@plumbline/contract'
import type { Channel } from '@plumbline/storage/control'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { openTargetForCaller, sealTarget } from './channel-secrets.ts'
import { makeWebhookSecret } from './signature.ts'
import { toChannel } from './view.ts'

/** How long the previous secret stays valid. */
const overlapMs = 24 * 3_600_000

export const makeRotate =
  (keyring: Keyring): Verb<typeof operations.channels.rotate> =>
  async ({ id }, { workspace, now }) => {
    const secret = makeWebhookSecret()
    const seal = (channel: Channel): string => {
      const channelTarget = openTargetForCaller(keyring, channel, workspace.id)
      if (channelTarget.type !== 'webhook')
        throw invalid('id', 'must be a webhook channel: only webhooks are signed')
      const former = { secret: channelTarget.secret, untilMs: now.getTime() + overlapMs }
      return sealTarget(keyring, { ...channelTarget, secret, former }, workspace.id)
    }
    const channel = await mapStorageErrors(workspace.channels.reseal(id, seal))
    return { channel: toChannel(channel), secret }
  }
