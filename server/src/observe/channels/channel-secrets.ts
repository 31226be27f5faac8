/** The sealed target of a channel: its address, and the secret that signs its messages. */
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
      /** Stays valid for a while after it was replaced. */
      readonly former?: { readonly secret: string; readonly untilMs: number } | undefined
    }
  | { readonly type: 'slack'; readonly url: string }
  | { readonly type: 'email'; readonly to: readonly string[] }

/** Decides which channels are allowed. */
export interface ChannelPolicy {
  /** Which hosts addresses may point to. */
  readonly networkPolicy: HostPolicy
  readonly sendsEmail: boolean
}

/** Reads the target of a channel; throws `invalid_request` if it is invalid. */
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
        'cannot be email, since this service has no mail server: its operator must set SMTP_URL',
      )
    if (to == null) throw invalid('to', 'is required for e-mail')
    return { type, to: [...new Set(to)] }
  }
  if (url == null) throw invalid('url', `is required for ${type === 'slack' ? 'Slack' : 'a webhook'}`)
  const refusal = refusalOf(url, networkPolicy)
  if (refusal !== undefined) throw invalid('url', refusal)
  return type === 'slack' ? { type, url } : { type, url, secret: makeWebhookSecret() }
}

/** The displayed form: enough to tell channels apart, without secrets that are part of an address. */
export function maskTarget(target: ChannelTarget): string {
  if (target.type === 'email') return target.to.join(', ')
  const { host, pathname, search } = new URL(target.url)
  const rest = pathname === '/' ? search : `${pathname}${search}`
  return rest.length === 0 ? host : `${host}/…${rest.length < 12 ? '' : rest.slice(-4)}`
}

export const sealTarget = (keyring: Keyring, target: ChannelTarget, workspaceId: string): string =>
  keyring.seal(JSON.stringify(target), workspaceId)

/** Throws if it was sealed with another secret. */
export const openTarget = (keyring: Keyring, sealedText: string, workspaceId: string): ChannelTarget =>
  // Safe: only targets are sealed there.
  JSON.parse(keyring.open(sealedText, workspaceId)) as ChannelTarget

/** The same for a request, whose error states that the secret of the service has changed. */
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
