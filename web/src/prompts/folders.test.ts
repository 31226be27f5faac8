import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldersOf, isWithin } from './folders.ts'

test('folders are those of the paths and all their parents', () => {
  assert.deepEqual(foldersOf(['support/refunds/late', 'sales', 'support']), [
    'sales',
    'support',
    'support/refunds',
    'support/refunds/late',
  ])
  assert.deepEqual(foldersOf([]), [])
})

test('a path is within its own folder and its parents, but not within a folder with the same name prefix', () => {
  assert.equal(isWithin('support/refunds', 'support'), true)
  assert.equal(isWithin('support', 'support'), true)
  assert.equal(isWithin('supporters', 'support'), false)
  assert.equal(isWithin('', 'support'), false)
})
