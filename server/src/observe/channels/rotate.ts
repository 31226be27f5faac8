import { invalid, type operations, ServiceError } from '@plumbline/contract'
import { mapStorageErrors } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { openTargetForCaller, sealTarget } from './channel-secrets.ts'
import { makeWebhookSecret } from './signature.ts'
import { toChannel } from './view.ts'

/** How long the secret before is still good. */
const overlapMs = 24 * 3_600_000

export const makeRotate =
  (keyring: Keyring): Verb<typeof operations.channels.rotate> =>
  async ({ id }, { workspace, now }) => {
    const before = await workspace.channels.find(id)
    if (before === undefined) throw new ServiceError('channel_not_found', { id })
    const channelTarget = openTargetForCaller(keyring, before, workspace.id)
    if (channelTarget.type !== 'webhook') throw invalid('id', 'must be of a webhook: only those are signed')
    const secret = makeWebhookSecret()
    const former = { secret: channelTarget.secret, untilMs: now.getTime() + overlapMs }
    const sealed = sealTarget(keyring, { ...channelTarget, secret, former }, workspace.id)
    const isEnabled = before.disabledAt === undefined
    const change = { leads: { target: before.target, sealed }, isEnabled }
    const channel = await mapStorageErrors(workspace.channels.update(id, change, now))
    return { channel: toChannel(channel), secret }
  }
