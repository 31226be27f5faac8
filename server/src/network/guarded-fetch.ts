/**
 * Requests to URLs that users configured. The checked address is the one that is connected to, so DNS rebinding does not
 * work; redirects are not followed.
 */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import type { Agent, Response } from 'undici'
import { blockedPorts } from './blocked-ports.ts'
import { type HostPolicy, isNamed, mayReach } from './host-policy.ts'

export type Fetch = typeof globalThis.fetch

/** The network policy forbids an address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Why the network policy forbids an address; undefined if it allows it. Host names are checked on connecting. */
export function refusalOf(text: string, policy: HostPolicy): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  const isOpen = isNamed(url, policy) || policy.allowsPrivate
  if (url.protocol !== 'https:' && !(isOpen && url.protocol === 'http:'))
    return isOpen ? 'must start with https:// or http://' : 'must start with https://'
  if (blockedPorts.has(url.port))
    return `must not use the port ${url.port}, which belongs to another protocol and is blocked`
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !mayReach(host, isNamed(url, policy), policy))
    return 'must not be a private network address'
  return undefined
}

export interface GuardedFetch {
  readonly fetch: Fetch
  close(): Promise<void>
}

/** Connects with the first request. */
export function makeGuardedFetch(policy: HostPolicy): GuardedFetch {
  let client: Promise<Client> | undefined
  let isClosed = false
  const loadClient = async (): Promise<Client> => {
    if (isClosed) throw new Error('The service is stopping and makes no more requests.')
    client ??= openClient(policy)
    try {
      return await client
    } catch (error) {
      // If a file could not be opened, the next call may succeed.
      client = undefined
      throw error
    }
  }
  const fetchGuarded = async (input: string | URL | Request, init: RequestInit = {}) => {
    const address = input instanceof Request ? input.url : String(input)
    const refusal = refusalOf(address, policy)
    if (refusal !== undefined) throw new AddressRefused(`The address ${refusal}.`)
    const { fetchWith, namedHostAgent, otherAgent } = await loadClient()
    const response = await fetchWith(address, {
      ...(init as Parameters<typeof fetchWith>[1]),
      dispatcher: isNamed(new URL(address), policy) ? namedHostAgent : otherAgent,
      redirect: 'error',
    })
    return limitBody(response, await import('undici'))
  }
  return {
    // Safe: Node's own fetch is undici's; only the declared types differ.
    fetch: fetchGuarded as unknown as Fetch,
    async close() {
      isClosed = true
      const agents = await client
      await Promise.all([agents?.namedHostAgent.destroy(), agents?.otherAgent.destroy()])
    },
  }
}

/** Enough for a model's longest response, and for downloads. */
export const responseBytesMax = 32 * 1024 * 1024

/** A response exceeded the size limit. */
class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'

  constructor() {
    super(`The response has more than ${responseBytesMax} bytes (after decompression), which is too large.`)
  }
}

/** The response with a body that fails once it is too large: a kilobyte may decompress to a gigabyte. */
function limitBody(response: Response, { Response: UndiciResponse }: Undici): Response {
  if (response.body === null) return response
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > responseBytesMax) controller.error(new ResponseTooLarge())
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, ok, headers } = response
  // Not with the constructor's options, which reject some statuses and reasons that servers send.
  return Object.defineProperties(new UndiciResponse(response.body.pipeThrough(limit), { headers }), {
    status: { value: status },
    statusText: { value: statusText },
    ok: { value: ok },
  })
}

type Undici = typeof import('undici')

interface Client {
  readonly fetchWith: Undici['fetch']
  readonly namedHostAgent: Agent
  readonly otherAgent: Agent
}

/**
 * Loads undici with the first request: together with Node's built-in copy, which it loads too, it takes 5 MB, and many
 * services never send a request.
 */
async function openClient(policy: HostPolicy): Promise<Client> {
  const undici = await import('undici')
  return {
    fetchWith: undici.fetch,
    // Two agents: hosts that the operator names may resolve to private addresses, and a lookup does not know which request
    // it is for.
    namedHostAgent: makeAgent(undici, true, policy),
    otherAgent: makeAgent(undici, false, policy),
  }
}

function makeAgent({ Agent }: Undici, isHostNamed: boolean, policy: HostPolicy): Agent {
  const guardedLookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const refused = addresses.find(({ address }) => !mayReach(address, isHostNamed, policy))
      if (refused !== undefined || addresses[0] === undefined)
        return callback(
          new AddressRefused(`${host} resolves to a private network address, which is not allowed.`),
          '',
          0,
        )
      if (options.all) return callback(null, addresses)
      callback(null, addresses[0].address, addresses[0].family)
    })
  }
  return new Agent({ connect: { lookup: guardedLookup, timeout: 10_000 }, connections: 64 })
}
