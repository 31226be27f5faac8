import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextVersion } from './semantic-version.ts'

test('the first version is 1.0.0', () => {
  assert.equal(nextVersion([]), '1.0.0')
  assert.equal(nextVersion(['draft', '1.0', 'v2.0.0', '01.0.0', '3.0.0-beta']), '1.0.0')
})

test('the next version is the next patch of the highest, compared as numbers', () => {
  assert.equal(nextVersion(['1.4.9']), '1.4.10')
  assert.equal(nextVersion(['1.10.0', '1.9.9', 'summer']), '1.10.1')
  assert.equal(nextVersion(['2.0.0', '1.99.99']), '2.0.1')
  assert.equal(nextVersion(['1.0.99999999999999999999']), '1.0.100000000000000000000')
})

test('the next version never exists already', () => {
  const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(12)).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(fc.array(version), (versions) => {
      assert.ok(!versions.includes(nextVersion(versions)))
    }),
  )
})
