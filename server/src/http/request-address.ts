/**
 * The URL at which a request reached the service. A client may put anything into its Host header, so only responses to the
 * caller itself rely on it; links that are passed on to others do not.
 */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type AddressList, plainAddress, readAddressList } from '../network/address-list.ts'

/** How long a path segment of a URL may be; names and ids are much shorter. */
export const addressPartMax = 4096

/**
 * X-Forwarded-For reduced to IP addresses: some proxies add ports, and a limit by address would then count each connection
 * separately. Everything before a part that is not an address, such as `unknown`, cannot be trusted.
 */
export function plainForwardedFor(header: string): string {
  const parts = header.split(',').map((part) => withoutPort(part.trim()))
  return parts.slice(parts.findLastIndex((part) => isIP(part) === 0) + 1).join(', ')
}

/** The address in `192.0.2.1:80`, `[2001:db8::1]:80` and `[2001:db8::1]`. */
const withoutPort = (part: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(part)?.[1] ?? /^([^:]*):\d+$/.exec(part)?.[1] ?? part

/** The service's URL according to the caller; localhost if its Host is invalid. */
export function addressOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  const address = `${request.protocol}://${request.host}`
  return URL.canParse(address) ? address : 'http://localhost'
}

/**
 * The base of links that are passed on to others: the configured URL; else the request's, if its host can only be local or a
 * trusted proxy sent it; else nothing, and the link is a path.
 */
export function linkBase(
  request: FastifyRequest,
  publicUrl: string | undefined,
  trustedProxies: AddressList | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl
  const isTrustedProxy = trustedProxies?.has(request.socket.remoteAddress ?? '') === true
  return isTrustedProxy || isLocalName(request.hostname, request.socket.localAddress)
    ? addressOf(request, undefined)
    : ''
}

const privateAddresses = readAddressList('loopback,linklocal,private')

/** Whether a host is this machine's address, one of a private network, or a name that public DNS cannot have. */
function isLocalName(host: string, localAddress: string | undefined): boolean {
  const name = plainAddress(host).toLowerCase()
  if (isIP(name) !== 0)
    return name === plainAddress(localAddress ?? '') || privateAddresses?.has(name) === true
  return !name.includes('.') || /\.(?:localhost|local|lan|internal|home\.arpa|test)$/.test(name)
}
