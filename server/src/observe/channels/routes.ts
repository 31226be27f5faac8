import { operations } from '@plumbline/contract'
import { type Route, route } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import type { ChannelPolicy } from './channel-secrets.ts'
import { makeCreate } from './create.ts'
import { delete as remove } from './delete.ts'
import { makeList } from './list.ts'
import { makeRotate } from './rotate.ts'
import type { Send } from './send.ts'
import { makeTest } from './test.ts'
import { makeUpdate } from './update.ts'

export interface ChannelParts {
  readonly keyring: Keyring
  readonly channelPolicy: ChannelPolicy
  readonly send: Send
}

export const channelRoutes = ({ keyring, channelPolicy, send }: ChannelParts): Route[] => [
  route(operations.channels.list, makeList(channelPolicy)),
  route(operations.channels.create, makeCreate(keyring, channelPolicy)),
  route(operations.channels.update, makeUpdate(keyring, channelPolicy)),
  route(operations.channels.rotate, makeRotate(keyring)),
  route(operations.channels.delete, remove),
  route(operations.channels.test, makeTest(keyring, send)),
]
