import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { TraceStore } from '../store.ts'
import { batchOf, openTestTraceStore, testTrace } from '../testing/testing.ts'

let store: TraceStore
before(async () => {
  store = await openTestTraceStore()
})
after(() => store.close())

test('percentiles are exact even with more traces than the engine would sample', async () => {
  const workspaceId = randomUUID()
  const traces = Array.from({ length: 10_001 }, (_, index) =>
    testTrace({ workspaceId, durationUs: BigInt(index) * 1000n, cost: index / 4 }),
  )
  await store.insert(batchOf({ traces }))
  const { ranks } = await store.scopedTo(workspaceId).rank({}, { durationMs: 5000, cost: null, tokens: null })
  assert.deepEqual(ranks.durationMs, { value: 5000, rank: 5001 / 10_001, p50: 5000, p95: 9500, p99: 9900 })
  assert.deepEqual([ranks.cost.p50, ranks.cost.p95, ranks.cost.p99], [1250, 2375, 2475])
  const { ranks: none } = await store
    .scopedTo(randomUUID())
    .rank({}, { durationMs: null, cost: null, tokens: null })
  assert.deepEqual(none.cost, { value: null, rank: null, p50: null, p95: null, p99: null })
})
