/**
 * The network policy for URLs that users configure: the public internet, and hosts that the operator names. A cloud's
 * metadata service is allowed only if exactly its address is named.
 */
import { isIP } from 'node:net'
import { type AddressList, plainAddress, readAddressList } from './address-list.ts'
import { isPublicAddress } from './public-address.ts'

export const hostListForm =
  'hosts (models.internal, 10.0.0.5:8000) and address ranges (10.0.0.0/8), separated by commas'

/** Hosts and ranges that the operator names. */
export interface HostList {
  /** Whether a host is named, with this port or without a port. */
  names(host: string, port: string): boolean
  /** Whether an address is in a named range. */
  hasAddress(address: string): boolean
}

export interface HostPolicy {
  readonly hosts: HostList | undefined
  /** Whether all private addresses are allowed, even without https. */
  readonly allowsPrivate: boolean
}

/** Parses a list; undefined if a part is neither a host nor a range. */
export function readHostList(text: string): HostList | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')
  const ranges = parts.filter((part) => part.includes('/'))
  const hosts = parts.filter((part) => !part.includes('/'))
  if (!hosts.every((host) => host === shownHost(host))) return undefined
  const addresses = readAddressList(ranges.join(','))
  if (addresses === undefined) return undefined
  const allowedHosts = new Set(hosts.map((host) => (isIP(host) === 6 ? `[${host}]` : host)))
  return {
    names: (host, port) => allowedHosts.has(host) || allowedHosts.has(`${host}:${port}`),
    hasAddress: (address) => addresses.has(address),
  }
}

/** Normalizes a host as URLs do, to reject what no URL can contain. */
function shownHost(host: string): string | undefined {
  if (isIP(host) === 6) return host
  // An explicit port keeps the parser from dropping the default one.
  const hasPort = /:\d+$/.test(host.replace(/^\[.*\]/, ''))
  const address = `https://${hasPort ? host : `${host}:1`}/`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.username !== '' || url.pathname !== '/') return undefined
  const port = url.port === '' ? '443' : url.port
  return hasPort ? `${url.hostname}:${port}` : url.hostname
}

/** Addresses of cloud metadata services: link-local and others, also through NAT64. */
// Safe: the list is valid.
const ofClouds = readAddressList(
  'linklocal,100.100.100.200,fd00:ec2::254,fd20:ce::254,64:ff9b::/96,64:ff9b:1::/48',
) as AddressList

/** Whether the policy allows connecting to an address; `isNamed` if the operator names the host that resolved to it. */
export function mayReach(address: string, isNamed: boolean, { hosts, allowsPrivate }: HostPolicy): boolean {
  const plain = plainAddress(address)
  if (ofClouds.has(plain)) return hosts?.names(isIP(plain) === 6 ? `[${plain}]` : plain, '') === true
  return isPublicAddress(plain) || isNamed || allowsPrivate || hosts?.hasAddress(plain) === true
}

/** Whether the operator names a URL's host, which may then be private and need not use https. */
export const isNamed = ({ hostname, port, protocol }: URL, { hosts }: HostPolicy): boolean =>
  hosts !== undefined &&
  (hosts.names(hostname, port === '' ? (protocol === 'https:' ? '443' : '80') : port) ||
    hosts.hasAddress(hostname))
