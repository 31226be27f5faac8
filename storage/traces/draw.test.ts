import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TraceStore } from './store.ts'
import { batchOf, openTestTraceStore, testTrace } from './testing.ts'

let store: TraceStore
before(async () => {
  store = await openTestTraceStore()
})
after(() => store.close())

async function fill(workspaceId: string, count: number): Promise<string[]> {
  const traces = Array.from({ length: count }, () => testTrace({ workspaceId }))
  await store.insert(batchOf({ traces }))
  return traces.map(({ traceId }) => traceId)
}

test('each trace is as likely to be drawn as any other', async () => {
  const [count, draws, limit] = [20, 400, 5]
  await fill('uniform', count)
  const times = new Map<string, number>()
  for (let seed = 0; seed < draws; seed++)
    for (const id of await store.scopedTo('uniform').draw({}, { limit, seed: `seed ${seed}` }))
      times.set(id, (times.get(id) ?? 0) + 1)
  const expected = (draws * limit) / count
  const chiSquared = [...times.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  assert.equal(times.size, count)
  // The 99.9 % point of the distribution with 19 degrees of freedom.
  assert.ok(chiSquared < 43.82, `${chiSquared}`)
})

test('a share of many traces is within the 99.9 % interval, and a larger share has the smaller in it', async () => {
  const count = 20_000
  await fill('share', count)
  const sampleIds = (share: number) => store.scopedTo('share').draw({}, { limit: count, seed: 'a', share })
  let smaller: string[] = []
  for (const share of [0.01, 0.1, 0.5, 1]) {
    const ids = await sampleIds(share)
    const reach = 3.2905 * Math.sqrt(count * share * (1 - share))
    assert.ok(Math.abs(ids.length - count * share) <= reach, `${ids.length} of ${count} at ${share}`)
    const within = new Set(ids)
    assert.ok(smaller.every((id) => within.has(id)))
    assert.deepEqual(await sampleIds(share), ids)
    smaller = ids
  }
})
