import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName } from './nearest-name.ts'

test('the nearest name is the one with the fewest differences, ignoring case', () => {
  const names = ['userId', 'featureSlug', 'model', 'q']
  const expected: readonly [name: string, nearest: string | undefined][] = [
    ['userid', 'userId'],
    ['uesrId', 'userId'],
    ['user', 'userId'],
    ['feature_slug', 'featureSlug'],
    ['modle', 'model'],
    ['Q', 'q'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(1_000_000), undefined],
  ]
  for (const [name, nearest] of expected) assert.equal(nearestName(name, names), nearest, name.slice(0, 20))
  assert.equal(nearestName('userId', []), undefined)
})
