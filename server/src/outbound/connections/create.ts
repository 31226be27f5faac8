import { invalid, type operations } from '@plumbline/contract'
import { refusalOf } from '../../network/guarded-fetch.ts'
import type { HostPolicy } from '../../network/host-policy.ts'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { endOf, toConnection } from './view.ts'

const needAddress: ReadonlySet<string> = new Set(['azure', 'openai-compatible'])

export const makeCreate =
  (keyring: Keyring, policy: HostPolicy): Verb<typeof operations.connections.create> =>
  async (input, { workspace, now }) => {
    const { name, provider, apiKey, baseUrl, region, models } = input
    if (baseUrl == null && needAddress.has(provider))
      throw invalid('baseUrl', 'is required for this provider')
    if (baseUrl != null) checkAddress(baseUrl, policy)
    const created = workspace.connections.create(
      {
        name,
        provider,
        baseUrl: baseUrl ?? undefined,
        region: region ?? undefined,
        models: models ?? [],
        sealedKey: apiKey == null ? undefined : keyring.seal(apiKey, workspace.id),
        keyEnd: apiKey == null ? undefined : endOf(apiKey),
        concurrencyMax: input.concurrencyMax ?? undefined,
        spendMaxPerDay: input.spendMaxPerDay ?? undefined,
      },
      now,
    )
    return { connection: toConnection(await mapConflict('connection', name, created)) }
  }

/** Throws `invalid_request` for a URL that the network policy forbids. */
export function checkAddress(baseUrl: string, policy: HostPolicy): void {
  const refusal = refusalOf(baseUrl, policy)
  if (refusal !== undefined) throw invalid('baseUrl', refusal)
}
