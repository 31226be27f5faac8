import { operations } from '@plumbline/contract'
import type { HostPolicy } from '../../network/host-policy.ts'
import { type Route, route } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { makeCreate } from './create.ts'
import { delete as remove } from './delete.ts'
import { list } from './list.ts'
import type { Models } from './models.ts'
import { makeTest } from './test.ts'
import { makeUpdate } from './update.ts'

export interface ConnectionParts extends Models {
  readonly keyring: Keyring
  /** The network policy for models. */
  readonly modelPolicy: HostPolicy
}

export const connectionRoutes = ({ keyring, openModel, modelPolicy }: ConnectionParts): Route[] => [
  route(operations.connections.list, list),
  route(operations.connections.create, makeCreate(keyring, modelPolicy)),
  route(operations.connections.update, makeUpdate(keyring, modelPolicy)),
  route(operations.connections.delete, remove),
  route(operations.connections.test, makeTest(openModel)),
]
