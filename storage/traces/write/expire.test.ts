import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import type { TraceStore } from '../store.ts'
import {
  batchOf,
  openTestTraceStore,
  testLog,
  testScore,
  testTrace,
  testTraceId,
} from '../testing/testing.ts'

let store: TraceStore
before(async () => {
  store = await openTestTraceStore()
})
after(() => store.close())

/** A trace with a log and a score, all of which arrived at this time. */
async function record(workspaceId: string, arrivedAt: string): Promise<string> {
  const atMs = Date.parse(arrivedAt)
  const trace = testTrace({ workspaceId, traceId: testTraceId(atMs), startUs: BigInt(atMs) * 1000n })
  const score = testScore(trace, { createdAtMs: atMs })
  await store.insert(batchOf({ traces: [trace], logs: [testLog(trace)], scores: [score] }))
  return trace.traceId
}

async function isGone(workspaceId: string, traceId: string): Promise<void> {
  const traces = store.scopedTo(workspaceId)
  await eventually(async () => {
    const { scores } = await traces.scores({ traceId }, { limit: 1 })
    assert.deepEqual([scores, await traces.find(traceId)], [[], undefined])
  })
}

test('months in which everything has expired are dropped with their logs and scores, and others stay complete', async () => {
  const [short, long, forEver] = [randomUUID(), randomUUID(), randomUUID()]
  const old = await record(short, '2024-01-10T00:00:00Z')
  const shared = await record(short, '2024-03-01T00:00:00Z')
  const remaining = await record(forEver, '2024-03-03T00:00:00Z')
  const early = await record(short, '2024-05-01T00:00:00Z')
  const late = await record(long, '2024-05-20T00:00:00Z')
  const day = (iso: string) => Date.parse(iso)
  await store.dropExpiredMonths(
    new Map([
      [short, day('2024-06-10T00:00:00Z')],
      [long, day('2024-05-10T00:00:00Z')],
    ]),
  )
  await isGone(short, old)
  for (const id of [shared, early]) {
    const storedTrace = await store.scopedTo(short).find(id)
    assert.deepEqual([storedTrace?.logs.length, storedTrace?.scores.length], [1, 1])
  }
  assert.ok(await store.scopedTo(long).exists(late))
  assert.ok(await store.scopedTo(forEver).exists(remaining))
  await store.dropExpiredMonths(new Map())
  assert.ok(await store.scopedTo(forEver).exists(remaining))
})
