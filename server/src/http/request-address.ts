/**
 * The address at which a request reached the service. Whoever sends a request may put anything into its Host, so only
 * what an answer tells the caller alone goes by it; a link that is passed on to others does not.
 */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type AddressList, plainAddress, readAddressList } from '../network/address-list.ts'

/** How long what is between two slashes of an address may be; names and ids are much shorter. */
export const addressPartMax = 4096

/**
 * An X-Forwarded-For as addresses alone: some proxies write ports too, and a limit by address would count each connection
 * for itself. What is before a part that is no address, such as `unknown`, nobody can vouch for.
 */
export function plainForwardedFor(header: string): string {
  const parts = header.split(',').map((part) => withoutPort(part.trim()))
  return parts.slice(parts.findLastIndex((part) => isIP(part) === 0) + 1).join(', ')
}

/** `192.0.2.1:80`, `[2001:db8::1]:80` and `[2001:db8::1]` as the address. */
const withoutPort = (part: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(part)?.[1] ?? /^([^:]*):\d+$/.exec(part)?.[1] ?? part

/** Where the caller reached the service, by its own account; this machine where its Host is none. */
export function addressOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  const address = `${request.protocol}://${request.host}`
  return URL.canParse(address) ? address : 'http://localhost'
}

/**
 * What links begin with that are passed on to others: the address that is set; else that of the request, where nobody
 * outside can have a name like it or a trusted proxy tells it; else nothing, and the link is a path.
 */
export function linkBase(
  request: FastifyRequest,
  publicUrl: string | undefined,
  trustedProxies: AddressList | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl
  const isTold = trustedProxies?.has(request.socket.remoteAddress ?? '') === true
  return isTold || isLocalName(request.hostname, request.socket.localAddress)
    ? addressOf(request, undefined)
    : ''
}

const privateAddresses = readAddressList('loopback,linklocal,private')

/** Whether a host is this machine's address, one of a private network, or a name that the public DNS cannot have. */
function isLocalName(host: string, localAddress: string | undefined): boolean {
  const name = plainAddress(host).toLowerCase()
  if (isIP(name) !== 0)
    return name === plainAddress(localAddress ?? '') || privateAddresses?.has(name) === true
  return !name.includes('.') || /\.(?:localhost|local|lan|internal|home\.arpa|test)$/.test(name)
}
