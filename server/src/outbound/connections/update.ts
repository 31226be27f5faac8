import { invalid, type operations, ServiceError } from '@plumbline/contract'
import type { Connection } from '@plumbline/storage/control'
import type { HostPolicy } from '../../network/host-policy.ts'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { checkAddress } from './create.ts'
import { endOf, toConnection } from './view.ts'

export const makeUpdate =
  (keyring: Keyring, policy: HostPolicy): Verb<typeof operations.connections.update> =>
  async (input, { workspace, now }) => {
    const { id, name, apiKey, baseUrl, region, models, concurrencyMax, spendMaxPerDay } = input
    const before = await workspace.connections.find(id)
    if (before === undefined) throw new ServiceError('connection_not_found', { id })
    if (baseUrl != null) checkAddress(baseUrl, policy)
    // Otherwise a member could redirect the stored key to their own server.
    const check = (connection: Connection): void => {
      const isMoved = baseUrl !== undefined && (baseUrl ?? undefined) !== connection.baseUrl
      if (isMoved && connection.sealedKey !== undefined && apiKey === undefined)
        throw invalid('apiKey', 'must be entered again with a new baseUrl')
    }
    const key = apiKey == null ? apiKey : { sealed: keyring.seal(apiKey, workspace.id), end: endOf(apiKey) }
    const limits = { concurrencyMax, spendMaxPerDay }
    const change = { check, name, baseUrl, region, models, key, ...limits }
    const changed = workspace.connections.update(id, change, now)
    return { connection: toConnection(await mapConflict('connection', name ?? before.name, changed)) }
  }
