/** Operator review, finding 7: each search could take 2 GB, regardless of the machine's memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { availableMemoryBytes, memoryLimitsOf } from './memory-limits.ts'

const mebibyte = 1024 ** 2

test('two searches and the caches fit into half of the memory, from 1 GiB on', () => {
  for (const gibibytes of [1, 2, 4, 8, 64]) {
    const memoryBytes = gibibytes * 1024 * mebibyte
    const { searchBytes, spillBytes, markCacheBytes, indexMarkCacheBytes } = memoryLimitsOf(memoryBytes)
    assert.ok(2 * searchBytes + markCacheBytes + indexMarkCacheBytes <= memoryBytes / 2, `${gibibytes} GiB`)
    assert.ok(spillBytes < searchBytes)
  }
})

test('the limits have a maximum on large machines, and a minimum for searches on small ones', () => {
  assert.equal(memoryLimitsOf(256 * 1024 * mebibyte).searchBytes, 2000 * mebibyte)
  assert.equal(memoryLimitsOf(512 * mebibyte).searchBytes, 150 * mebibyte)
})

test('when memory is low, merges are small and run one at a time', () => {
  assert.deepEqual(memoryLimitsOf(1024 * mebibyte).merges, { running: 1, partsMax: 8 })
  assert.equal(memoryLimitsOf(2048 * mebibyte).merges, undefined)
})

test('the control group limit applies if it is below the machine memory', () => {
  assert.equal(availableMemoryBytes(8e9, 1e9), 1e9)
  assert.equal(availableMemoryBytes(8e9, 0), 8e9)
  assert.equal(availableMemoryBytes(8e9, 2 ** 63), 8e9)
})
