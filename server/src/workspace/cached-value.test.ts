import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ControlStoreAway } from '@plumbline/storage/control'
import { makeCachedValue } from './cached-value.ts'

describe('a cached value', () => {
  it('is read once until it is invalidated', async () => {
    let reads = 0
    const cache = makeCachedValue(async () => ++reads)
    assert.deepEqual([await cache.get(), await cache.get()], [1, 1])
    cache.forget()
    assert.equal(await cache.get(), 2)
  })

  it('stays the last value while the control plane is unavailable, and is read again afterwards', async () => {
    let value = 1
    let problem: Error | undefined
    const cache = makeCachedValue(async () => {
      if (problem !== undefined) throw problem
      return value
    })
    problem = new ControlStoreAway()
    await assert.rejects(cache.get(), ControlStoreAway)
    problem = undefined
    assert.equal(await cache.get(), 1)
    cache.forget()
    problem = new ControlStoreAway()
    assert.equal(await cache.get(), 1)
    problem = new Error('damaged')
    await assert.rejects(cache.get(), /damaged/)
    problem = undefined
    value = 2
    assert.equal(await cache.get(), 2)
  })
})
