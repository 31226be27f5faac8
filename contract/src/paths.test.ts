import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from './operations.ts'
import { paths } from './paths.ts'

test('the table of paths says of every operation what the operation says', () => {
  const stated = Object.entries(operations).map(([resource, verbs]) => [
    resource,
    Object.fromEntries(Object.entries(verbs).map(([verb, { method, path }]) => [verb, `${method} ${path}`])),
  ])
  assert.deepEqual(paths, Object.fromEntries(stated))
})
