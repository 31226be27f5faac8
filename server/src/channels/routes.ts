import { operations } from '@plumbline/contract'
import type { Keyring } from '../secrets/keyring.ts'
import { type Route, route } from '../verb.ts'
import { makeCreate } from './create.ts'
import { delete as remove } from './delete.ts'
import type { Reach } from './leads.ts'
import { makeList } from './list.ts'
import { makeRotate } from './rotate.ts'
import type { Send } from './send.ts'
import { makeTest } from './test.ts'
import { makeUpdate } from './update.ts'

export interface ChannelParts {
  readonly keyring: Keyring
  readonly reach: Reach
  readonly send: Send
}

export const channelRoutes = ({ keyring, reach, send }: ChannelParts): Route[] => [
  route(operations.channels.list, makeList(reach)),
  route(operations.channels.create, makeCreate(keyring, reach)),
  route(operations.channels.update, makeUpdate(keyring, reach)),
  route(operations.channels.rotate, makeRotate(keyring)),
  route(operations.channels.delete, remove),
  route(operations.channels.test, makeTest(keyring, send)),
]
