import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { ChannelPolicy } from './channel-secrets.ts'
import { toChannel } from './view.ts'

export const makeList =
  ({ sendsEmail }: ChannelPolicy): Verb<typeof operations.channels.list> =>
  async (_input, { workspace }) => ({
    channels: (await workspace.channels.list()).map(toChannel),
    sendsEmail,
  })
