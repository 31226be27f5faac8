import type { operations } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import type { Reach } from './leads.ts'
import { toChannel } from './view.ts'

export const makeList =
  ({ sendsEmail }: Reach): Verb<typeof operations.channels.list> =>
  async (_input, { workspace }) => ({
    channels: (await workspace.channels.list()).map(toChannel),
    sendsEmail,
  })
