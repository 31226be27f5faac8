/** Distinguishes public IP addresses from others, such as this machine, its neighbors, or its cloud's metadata service. */
import { BlockList, isIP } from 'node:net'

const others = new BlockList()
// RFC 6890 and its successors; 169.254.169.254 is the metadata service of clouds.
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  others.addSubnet(net, prefix, 'ipv4')
// The public internet is 2000::/3, except these: Teredo and 6to4 embed an IPv4 address, and two are for examples.
const ofInternet = new BlockList()
ofInternet.addSubnet('2000::', 3, 'ipv6')
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  others.addSubnet(net, prefix, 'ipv6')

/** Whether an IP address is public. */
export function isPublicAddress(address: string): boolean {
  // `::ffff:10.0.0.1` is an IPv4 address.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return isPublicAddress(mapped)
  switch (isIP(address)) {
    case 4:
      return !others.check(address, 'ipv4')
    case 6:
      return ofInternet.check(address, 'ipv6') && !others.check(address, 'ipv6')
    default:
      return false
  }
}
