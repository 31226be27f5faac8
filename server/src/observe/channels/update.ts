import { type ChannelType, type operations, ServiceError } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import {
  type ChannelPolicy,
  type ChannelTarget,
  maskTarget,
  openTarget,
  readTarget,
  sealTarget,
} from './channel-secrets.ts'
import { toChannel } from './view.ts'

export const makeUpdate =
  (keyring: Keyring, channelPolicy: ChannelPolicy): Verb<typeof operations.channels.update> =>
  async ({ id, name, url, to, isEnabled, events }, { workspace, now }) => {
    const before = await workspace.channels.find(id)
    if (before === undefined) throw new ServiceError('channel_not_found', { id })
    const isMoved = before.type === 'email' ? to != null : url != null
    // Safe: the contract's schema let only these in.
    const moved = isMoved ? readTarget(before.type as ChannelType, { url, to }, channelPolicy) : undefined
    const changed = workspace.channels.update(
      id,
      {
        name: name ?? undefined,
        leads: moved && (({ sealed }) => toLeads(moved, sealed, workspace.id)),
        isEnabled: isEnabled ?? undefined,
        events: events ?? undefined,
      },
      now,
    )
    return { channel: toChannel(await mapConflict('channel', name ?? before.name, changed)) }

    function toLeads(target: ChannelTarget, sealedBefore: string, workspaceId: string) {
      // A webhook keeps its secret, so that a receiver that moves needs no change.
      const former = target.type === 'webhook' && openTargetOrUndefined(keyring, sealedBefore, workspaceId)
      const next =
        former && former.type === 'webhook' && target.type === 'webhook'
          ? { ...former, url: target.url }
          : target
      return { target: maskTarget(next), sealed: sealTarget(keyring, next, workspaceId) }
    }
  }

/** A secret that cannot be opened any more is lost; a new one is returned when it is rotated. */
function openTargetOrUndefined(
  keyring: Keyring,
  sealedText: string,
  workspaceId: string,
): ChannelTarget | undefined {
  try {
    return openTarget(keyring, sealedText, workspaceId)
  } catch {
    return undefined
  }
}
