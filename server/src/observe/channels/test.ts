import { type operations, ServiceError } from '@plumbline/contract'
import { newId } from '../../id.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { openTargetForCaller } from './channel-secrets.ts'
import { testMessage } from './message.ts'
import type { Send } from './send.ts'

/** A disabled channel is tested too, to find out whether it works again. */
export const makeTest =
  (keyring: Keyring, send: Send): Verb<typeof operations.channels.test> =>
  async ({ id }, { workspace, publicUrl, now }) => {
    const channel = await workspace.channels.find(id)
    if (channel === undefined) throw new ServiceError('channel_not_found', { id })
    const channelTarget = openTargetForCaller(keyring, channel, workspace.id)
    const name = (await workspace.workspaceName.find()) ?? ''
    const message = testMessage({ id: newId(now), workspace: { id: workspace.id, name } }, publicUrl, now)
    const startedAt = performance.now()
    const result = await send(channelTarget, message)
    return {
      works: result.type === 'delivered',
      durationMs: performance.now() - startedAt,
      answer: result.responseText ?? null,
      problem: result.type === 'failed' ? result.problem : null,
    }
  }
