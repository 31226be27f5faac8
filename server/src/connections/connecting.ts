/** The way to models and to addresses that people have typed: one keyring, one guard. */
import { randomBytes } from 'node:crypto'
import type { ControlStore } from '@plumbline/storage/control'
import type { Config } from '../config.ts'
import { makeGuardedFetch } from './guarded-fetch.ts'
import { makeKeyring } from './keyring.ts'
import { makeOpenEmbedder, makeOpenModel } from './models.ts'
import type { ConnectionParts } from './routes.ts'

export interface Connecting extends ConnectionParts {
  /** Asks an address that somebody has typed; private networks only where the operator allows them. */
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

export async function makeConnecting(
  control: Pick<ControlStore, 'secret'>,
  config: Config,
): Promise<Connecting> {
  const keyring = makeKeyring(
    config.PLUMBLINE_SECRET_KEY ??
      (await control.secret('connection keys', () => randomBytes(32).toString('base64'))),
  )
  const allowsPrivate = config.PLUMBLINE_PRIVATE_MODEL_URLS
  const { fetch, close } = makeGuardedFetch(allowsPrivate)
  const models = { openModel: makeOpenModel(keyring, fetch), openEmbedder: makeOpenEmbedder(keyring, fetch) }
  return { keyring, ...models, allowsPrivate, fetch, close }
}
