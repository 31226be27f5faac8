/** The way to models and to addresses that people have typed: one keyring, one guard. */
import type { Config } from '../config.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { makeGuardedFetch } from './guarded-fetch.ts'
import { makeOpenEmbedder, makeOpenModel } from './models.ts'
import type { ConnectionParts } from './routes.ts'

export interface Connecting extends ConnectionParts {
  /** Asks an address that somebody has typed; private networks only where the operator allows them. */
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

export function makeConnecting(
  keyring: Keyring,
  config: Pick<Config, 'PLUMBLINE_PRIVATE_MODEL_URLS'>,
): Connecting {
  const allowsPrivate = config.PLUMBLINE_PRIVATE_MODEL_URLS
  const { fetch, close } = makeGuardedFetch(allowsPrivate)
  const models = { openModel: makeOpenModel(keyring, fetch), openEmbedder: makeOpenEmbedder(keyring, fetch) }
  return { keyring, ...models, allowsPrivate, fetch, close }
}
