/** Where a channel leads, which is sealed: addresses, and what messages are signed with. */
import { type ChannelType, invalid, ServiceError } from '@plumbline/contract'
import type { Channel } from '@plumbline/storage/control'
import { refusalOf } from '../../network/guarded-fetch.ts'
import type { HostPolicy } from '../../network/host-policy.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { makeWebhookSecret } from './signature.ts'

export type ChannelTarget =
  | {
      readonly type: 'webhook'
      readonly url: string
      readonly secret: string
      /** Still good for a while after it was replaced. */
      readonly former?: { readonly secret: string; readonly untilMs: number } | undefined
    }
  | { readonly type: 'slack'; readonly url: string }
  | { readonly type: 'email'; readonly to: readonly string[] }

/** What decides which channels there can be. */
export interface ChannelPolicy {
  /** Where addresses may lead. */
  readonly networkPolicy: HostPolicy
  readonly sendsEmail: boolean
}

/** Reads where a channel is to lead; throws `invalid_request` for what cannot be. */
export function readTarget(
  type: ChannelType,
  {
    url,
    to,
  }: { readonly url?: string | null | undefined; readonly to?: readonly string[] | null | undefined },
  { networkPolicy, sendsEmail }: ChannelPolicy,
): ChannelTarget {
  if (type === 'email') {
    if (!sendsEmail)
      throw invalid(
        'type',
        'cannot be email, since this service has no mail server: its operator sets SMTP_URL',
      )
    if (to == null) throw invalid('to', 'is required for e-mail')
    return { type, to: [...new Set(to)] }
  }
  if (url == null) throw invalid('url', `is required for ${type === 'slack' ? 'Slack' : 'a webhook'}`)
  const refusal = refusalOf(url, networkPolicy)
  if (refusal !== undefined) throw invalid('url', refusal)
  return type === 'slack' ? { type, url } : { type, url, secret: makeWebhookSecret() }
}

/** What may be shown: enough to tell channels apart, and no secret that is part of an address. */
export function maskTarget(target: ChannelTarget): string {
  if (target.type === 'email') return target.to.join(', ')
  const { host, pathname, search } = new URL(target.url)
  const rest = pathname === '/' ? search : `${pathname}${search}`
  return rest.length === 0 ? host : `${host}/…${rest.length < 12 ? '' : rest.slice(-4)}`
}

export const sealTarget = (keyring: Keyring, target: ChannelTarget, workspaceId: string): string =>
  keyring.seal(JSON.stringify(target), workspaceId)

/** Throws where it was sealed with another secret. */
export const openTarget = (keyring: Keyring, sealedText: string, workspaceId: string): ChannelTarget =>
  // Safe: only leads are sealed there.
  JSON.parse(keyring.open(sealedText, workspaceId)) as ChannelTarget

/** The same for a request, which is told that the secret of the service has changed. */
export function openTargetForCaller(
  keyring: Keyring,
  { id, sealed }: Channel,
  workspaceId: string,
): ChannelTarget {
  try {
    return openTarget(keyring, sealed, workspaceId)
  } catch (cause) {
    throw new ServiceError('channel_locked', { id }, { cause })
  }
}
