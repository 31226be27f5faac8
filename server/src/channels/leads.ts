/** Where a channel leads, which is sealed: addresses, and what messages are signed with. */
import { type ChannelType, invalid, ServiceError } from '@plumbline/contract'
import type { Channel } from '@plumbline/storage/control'
import { refusalOf } from '../connections/guarded-fetch.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { makeWebhookSecret } from './signature.ts'

export type Leads =
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
export interface Reach {
  /** Whether addresses may be of private networks. */
  readonly allowsPrivate: boolean
  readonly sendsEmail: boolean
}

/** Reads where a channel is to lead; throws `invalid_request` for what cannot be. */
export function leadsOf(
  type: ChannelType,
  {
    url,
    to,
  }: { readonly url?: string | null | undefined; readonly to?: readonly string[] | null | undefined },
  { allowsPrivate, sendsEmail }: Reach,
): Leads {
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
  const refusal = refusalOf(url, allowsPrivate)
  if (refusal !== undefined) throw invalid('url', refusal)
  return type === 'slack' ? { type, url } : { type, url, secret: makeWebhookSecret() }
}

/** What may be shown: enough to tell channels apart, and no secret that is part of an address. */
export function targetOf(leads: Leads): string {
  if (leads.type === 'email') return leads.to.join(', ')
  const { host, pathname, search } = new URL(leads.url)
  const rest = pathname === '/' ? search : `${pathname}${search}`
  return rest.length === 0 ? host : `${host}/…${rest.length < 12 ? '' : rest.slice(-4)}`
}

export const sealLeads = (keyring: Keyring, leads: Leads, workspaceId: string): string =>
  keyring.seal(JSON.stringify(leads), workspaceId)

/** Throws where it was sealed with another secret. */
export const openLeads = (keyring: Keyring, sealed: string, workspaceId: string): Leads =>
  // Safe: only leads are sealed there.
  JSON.parse(keyring.open(sealed, workspaceId)) as Leads

/** The same for a request, which is told that the secret of the service has changed. */
export function leadsForCaller(keyring: Keyring, { id, sealed }: Channel, workspaceId: string): Leads {
  try {
    return openLeads(keyring, sealed, workspaceId)
  } catch (cause) {
    throw new ServiceError('channel_locked', { id }, { cause })
  }
}
