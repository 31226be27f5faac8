/**
 * Requests to addresses that people chose. Names are resolved here and the address that is connected to is the one
 * that was looked at, so that a name which leads elsewhere the second time wins nothing; redirects are not followed.
 */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { Agent, fetch as fetchWith } from 'undici'
import { isPublicAddress } from './public-address.ts'

export type Fetch = typeof globalThis.fetch

/** An address where nothing of ours may connect. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Why an address cannot be one of a connection; undefined where it can. Names are looked at when they are used. */
export function refusalOf(text: string, allowsPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:'))
    return allowsPrivate ? 'must start with https:// or http://' : 'must start with https://'
  if (url.username !== '' || url.password !== '') return 'must not hold a name or a password'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host))
    return 'must not be an address of a private network'
  return undefined
}

export interface GuardedFetch {
  readonly fetch: Fetch
  close(): Promise<void>
}

/** Connections are made at the first request. */
export function makeGuardedFetch(allowsPrivate: boolean): GuardedFetch {
  const lookupPublic: LookupFunction = (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '', 0)
      const refused = allowsPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address))
      if (refused !== undefined || addresses[0] === undefined)
        return done(
          new AddressRefused(`${host} leads to a private network, where no connection may go.`),
          '',
          0,
        )
      if (options.all) return done(null, addresses)
      done(null, addresses[0].address, addresses[0].family)
    })
  }
  const agent = new Agent({ connect: { lookup: lookupPublic, timeout: 10_000 }, connections: 64 })
  const guarded = async (input: string | URL | Request, init: RequestInit = {}) => {
    const address = input instanceof Request ? input.url : String(input)
    const refusal = refusalOf(address, allowsPrivate)
    if (refusal !== undefined) throw new AddressRefused(`The address ${refusal}.`)
    return fetchWith(address, {
      ...(init as Parameters<typeof fetchWith>[1]),
      dispatcher: agent,
      redirect: 'error',
    })
  }
  return {
    // Safe: undici's answer is the one that Node's own fetch is made of; only the declared types differ.
    fetch: guarded as unknown as Fetch,
    close: () => agent.destroy(),
  }
}
