/** Outbound requests to models and to experiment endpoints, each with its own network policy. */
import type { Config } from '../../config.ts'
import { makeGuardedFetch } from '../../network/guarded-fetch.ts'
import type { HostPolicy } from '../../network/host-policy.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { makeOpenEmbedder, makeOpenModel } from './models.ts'
import type { ConnectionParts } from './routes.ts'

export interface Connecting extends ConnectionParts {
  /** The network policy for experiment endpoints. */
  readonly endpointPolicy: HostPolicy
  /** Calls such an endpoint. */
  readonly fetchEndpoint: typeof globalThis.fetch
  close(): Promise<void>
}

export function makeConnecting(keyring: Keyring, config: Config): Connecting {
  const modelPolicy = {
    hosts: config.PLUMBLINE_MODEL_HOSTS,
    allowsPrivate: config.PLUMBLINE_PRIVATE_MODEL_URLS,
  }
  const endpointPolicy = { hosts: config.PLUMBLINE_ENDPOINT_HOSTS, allowsPrivate: false }
  const [models, endpoints] = [makeGuardedFetch(modelPolicy), makeGuardedFetch(endpointPolicy)]
  return {
    keyring,
    openModel: makeOpenModel(keyring, models.fetch),
    openEmbedder: makeOpenEmbedder(keyring, models.fetch),
    modelPolicy,
    endpointPolicy,
    fetchEndpoint: endpoints.fetch,
    close: async () => void (await Promise.all([models.close(), endpoints.close()])),
  }
}
