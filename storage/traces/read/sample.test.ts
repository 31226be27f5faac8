import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { TraceStore } from '../store.ts'
import { batchOf, openTestTraceStore, testTrace } from '../testing/testing.ts'

let store: TraceStore
before(async () => {
  store = await openTestTraceStore()
})
after(() => store.close())

/** Uses the same ids each time: with random ids, a fair choice would sometimes fall outside the 99.9 % interval. */
async function fill(workspaceId: string, count: number): Promise<string[]> {
  const traces = Array.from({ length: count }, (_, index) =>
    testTrace({ workspaceId, traceId: `01900000-0000-7000-8000-${index.toString(16).padStart(12, '0')}` }),
  )
  await store.insert(batchOf({ traces }))
  return traces.map(({ traceId }) => traceId)
}

test('each trace is as likely to be sampled as every other', async () => {
  const [count, samples, limit] = [20, propertyRuns(100).numRuns, 5]
  await fill('uniform', count)
  const times = new Map<string, number>()
  for (let seed = 0; seed < samples; seed++)
    for (const id of await store.scopedTo('uniform').sample({}, { limit, seed: `seed ${seed}` }))
      times.set(id, (times.get(id) ?? 0) + 1)
  const expected = (samples * limit) / count
  const chiSquared = [...times.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  assert.equal(times.size, count)
  // The 99.9 % point of the distribution with 19 degrees of freedom.
  assert.ok(chiSquared < 43.82, `${chiSquared}`)
})

test('a fraction of many traces is within the 99.9 % interval, and a larger fraction includes the smaller one', async () => {
  const count = 20_000
  await fill('share', count)
  const sampleIds = (fraction: number) =>
    store.scopedTo('share').sample({}, { limit: count, seed: 'a', fraction })
  let smaller: string[] = []
  for (const fraction of [0.01, 0.1, 0.5, 1]) {
    const ids = await sampleIds(fraction)
    const reach = 3.2905 * Math.sqrt(count * fraction * (1 - fraction))
    assert.ok(Math.abs(ids.length - count * fraction) <= reach, `${ids.length} of ${count} at ${fraction}`)
    const sampleIdSet = new Set(ids)
    assert.ok(smaller.every((id) => sampleIdSet.has(id)))
    assert.deepEqual(await sampleIds(fraction), ids)
    smaller = ids
  }
})
