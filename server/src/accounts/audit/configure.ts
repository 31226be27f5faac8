import { invalid, type operations } from '@plumbline/contract'
import { refusalOf } from '../../network/guarded-fetch.ts'
import type { HostPolicy } from '../../network/host-policy.ts'
import { maskTarget, sealTarget } from '../../observe/channels/channel-secrets.ts'
import { makeWebhookSecret } from '../../observe/channels/signature.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { readAuditSettings } from './read-audit-settings.ts'

export interface ConfigureParts {
  readonly keyring: Keyring
  /** The network policy for webhooks. */
  readonly policy: HostPolicy
}

export const makeConfigure =
  ({ keyring, policy }: ConfigureParts): Verb<typeof operations.audit.configure> =>
  async ({ days, webhookUrl }, { workspace, now }) => {
    if (webhookUrl == null || webhookUrl === '') {
      await workspace.auditSettings.change({ days, webhook: webhookUrl === '' ? null : undefined }, now)
      return { settings: await readAuditSettings(workspace), secret: null }
    }
    const refusal = refusalOf(webhookUrl, policy)
    if (refusal !== undefined) throw invalid('webhookUrl', refusal)
    const target = { type: 'webhook', url: webhookUrl, secret: makeWebhookSecret() } as const
    const webhook = { target: maskTarget(target), sealed: sealTarget(keyring, target, workspace.id) }
    await workspace.auditSettings.change({ days, webhook }, now)
    return { settings: await readAuditSettings(workspace), secret: target.secret }
  }
