/**
 * Where requests to addresses that people typed may go: the public internet, and hosts of one's own that the operator
 * names. Where clouds keep the keys of a machine, they may go only if that very address is named.
 */
import { isIP } from 'node:net'
import { isPublicAddress } from '../connections/public-address.ts'
import { type AddressList, plainAddress, readAddressList } from './address-list.ts'

export const hostListForm =
  'hosts (models.internal, 10.0.0.5:8000) and ranges of addresses (10.0.0.0/8), separated by commas'

/** Hosts that an operator has named. */
export interface HostList {
  /** Whether a host of an address is named, with this port or any. */
  names(host: string, port: string): boolean
  /** Whether an address is in a range. */
  hasAddress(address: string): boolean
}

export interface HostPolicy {
  readonly hosts: HostList | undefined
  /** Whether every private address may be reached, and without https. */
  readonly allowsPrivate: boolean
}

/** The list that a text states; undefined where a part of it is neither a host nor a range. */
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
  const named = new Set(hosts.map((host) => (isIP(host) === 6 ? `[${host}]` : host)))
  return {
    names: (host, port) => named.has(host) || named.has(`${host}:${port}`),
    hasAddress: (address) => addresses.has(address),
  }
}

/** A host as an address would have it, so that what no address can have is refused. */
function shownHost(host: string): string | undefined {
  if (isIP(host) === 6) return host
  // A port of its own keeps the parser from leaving out the usual one.
  const hasPort = /:\d+$/.test(host.replace(/^\[.*\]/, ''))
  const address = `https://${hasPort ? host : `${host}:1`}/`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.username !== '' || url.pathname !== '/') return undefined
  const port = url.port === '' ? '443' : url.port
  return hasPort ? `${url.hostname}:${port}` : url.hostname
}

/** Link-local addresses and the others where clouds answer with the keys of a machine, by NAT64 too. */
// Safe: these are legal.
const ofClouds = readAddressList(
  'linklocal,100.100.100.200,fd00:ec2::254,fd20:ce::254,64:ff9b::/96,64:ff9b:1::/48',
) as AddressList

/** Whether a connection may be made to an address; `isNamed` where the host that led to it is named. */
export function mayReach(address: string, isNamed: boolean, { hosts, allowsPrivate }: HostPolicy): boolean {
  const plain = plainAddress(address)
  if (ofClouds.has(plain)) return hosts?.names(isIP(plain) === 6 ? `[${plain}]` : plain, '') === true
  return isPublicAddress(plain) || isNamed || allowsPrivate || hosts?.hasAddress(plain) === true
}

/** Whether the host of an address is named: then it may be private, and go without https. */
export const isNamed = ({ hostname, port, protocol }: URL, { hosts }: HostPolicy): boolean =>
  hosts !== undefined &&
  (hosts.names(hostname, port === '' ? (protocol === 'https:' ? '443' : '80') : port) ||
    hosts.hasAddress(hostname))
