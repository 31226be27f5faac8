import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from './operations.ts'
import { fillPath, paths } from './paths.ts'

test('the table of paths agrees with every operation', () => {
  const expected = Object.entries(operations).map(([resource, verbs]) => [
    resource,
    Object.fromEntries(Object.entries(verbs).map(([verb, { method, path }]) => [verb, `${method} ${path}`])),
  ])
  assert.deepEqual(paths, Object.fromEntries(expected))
})

test('a path is filled only with values that a URL can carry (M5)', () => {
  assert.equal(fillPath('/a/{b}/c/{d}', { b: 'x/y ?', d: 7, e: 1 }), '/a/x%2Fy%20%3F/c/7')
  assert.equal(fillPath('/a/{b}', { b: '...' }), '/a/...')
  for (const value of ['', '.', '..', undefined, null, '\ud800'])
    assert.throws(() => fillPath('/a/{b}', { b: value }), /^TypeError: b: must not be empty/)
})
