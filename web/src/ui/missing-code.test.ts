import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isMissingCode } from './missing-code.ts'

it('a missing chunk is distinguished from other failures, in every browser', () => {
  for (const message of [
    'Failed to fetch dynamically imported module: https://example.com/app/assets/a.js',
    'error loading dynamically imported module: https://example.com/app/assets/a.js',
    'Importing a module script failed.',
  ])
    assert.ok(isMissingCode(new TypeError(message)), message)
  assert.ok(!isMissingCode(new TypeError('Failed to fetch')))
  assert.ok(!isMissingCode('Importing a module script failed.'))
})
