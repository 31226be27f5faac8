import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ControlStoreAway } from '@plumbline/storage/control'
import { makeWorkspaceCache } from './workspace-cache.ts'

test('a value read during a change is read again, and used while the control plane is unavailable', async () => {
  let isAway = false
  let readCount = 0
  let duringRead = (): void => {}
  const cache = makeWorkspaceCache({
    async hasFeature() {
      readCount++
      if (isAway) throw new ControlStoreAway()
      duringRead()
      return true
    },
    hasExperiment: async () => false,
    prompt: async () => undefined,
    evaluator: async () => undefined,
  })
  duringRead = () => cache.clear()
  assert.equal(await cache.hasFeature('chat'), true)
  duringRead = () => {}
  assert.equal(await cache.hasFeature('chat'), true)
  assert.equal(readCount, 2)
  assert.equal(await cache.hasFeature('chat'), true)
  assert.equal(readCount, 2)

  duringRead = () => cache.clear()
  assert.equal(await cache.hasFeature('other'), true)
  isAway = true
  assert.equal(await cache.hasFeature('other'), true)
  assert.equal(readCount, 4)
  await assert.rejects(cache.hasFeature('unknown'), ControlStoreAway)
})
