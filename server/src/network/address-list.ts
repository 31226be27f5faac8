/** Lists of addresses in settings: single addresses, CIDR ranges, and names for common ranges. */
import { BlockList, isIP } from 'node:net'

const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

export const addressListForm =
  'addresses, ranges such as 10.0.0.0/8, or loopback, linklocal and private, separated by commas'

export interface AddressList {
  has(address: string): boolean
}

/** Parses a list; undefined if a part is not an address. */
export function readAddressList(text: string): AddressList | undefined {
  const list = new BlockList()
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  for (const part of parts.flatMap((each) => namedRanges[each] ?? [each]))
    if (!add(list, part)) return undefined
  return {
    has: (text) => {
      const address = plainAddress(text)
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
    },
  }
}

function add(list: BlockList, part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) {
    list.addAddress(address, family)
    return true
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 6 ? 128 : 32)) return false
  list.addSubnet(address, Number(bits), family)
  return true
}

/** Unwraps an IPv4-mapped address such as `::ffff:192.0.2.1`, and removes brackets and the zone. */
export const plainAddress = (address: string): string =>
  address
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** The group that a rate limit counts: an IPv4 address, or the /64 of an IPv6 address, which is one household. */
export function addressGroup(text: string): string {
  const address = plainAddress(text)
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...new Array<string>(Math.max(0, zeros)).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
