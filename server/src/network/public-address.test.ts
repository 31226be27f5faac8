import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPublicAddress } from './public-address.ts'

describe('an address', () => {
  const cases: [isPublic: boolean, addresses: string[]][] = [
    [true, ['8.8.8.8', '172.32.0.1', '104.18.7.192', '2606:4700::6812:7c0', '3ffe::1', '::ffff:8.8.8.8']],
    [
      false,
      [
        '127.0.0.1',
        '0.0.0.0',
        '10.1.2.3',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        '169.254.169.254',
        '100.64.0.1',
        '224.0.0.1',
        '255.255.255.255',
        '::1',
        '::',
        'fe80::1',
        'fc00::1',
        'fd12:3456::1',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '64:ff9b::7f00:1',
        '2002:7f00:1::',
        '2001:db8::1',
        '3fff:fff::1',
        'localhost',
        '',
      ],
    ],
  ]
  for (const [isPublic, addresses] of cases)
    for (const address of addresses)
      it(`${address || '(none)'} is ${isPublic ? '' : 'not '}of the public internet`, () =>
        assert.equal(isPublicAddress(address), isPublic))
})
