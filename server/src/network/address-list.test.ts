import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressGroup, readAddressList } from './address-list.ts'

it('a list has its addresses, ranges and named ranges, in any form that a socket reports (L5)', () => {
  const list = readAddressList('192.0.2.7, 10.0.0.0/8,2001:db8::/32,loopback')
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '10.9.8.7', '2001:db8::1', '127.0.0.9', '::1'])
    assert.equal(list?.has(address), true, address)
  for (const address of ['192.0.2.8', '11.0.0.1', '2001:db9::1', 'localhost', ''])
    assert.equal(list?.has(address), false, address)
  for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0.0/8/8', '1.2.3', 'true'])
    assert.equal(readAddressList(wrong), undefined, wrong)
})

it('a limit counts an IPv4 address, and the /64 of an IPv6 address (L5)', () => {
  const groups: Readonly<Record<string, string>> = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:0DB8:0001:0002::9': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '::1': '0:0:0:0::/64',
  }
  for (const [address, group] of Object.entries(groups)) assert.equal(addressGroup(address), group, address)
})
