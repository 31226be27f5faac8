import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from './id.ts'

test('ids ascend in creation order, even many within a millisecond', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(ids.toSorted(), ids)
})
