/** Operator review, finding 7: memory was not returned to the system after a burst. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../../fixtures/eventually.ts'
import { makeCollector, makeIdleCollection } from './idle-memory.ts'

const mebibyte = 2 ** 20

const parse = (): number => (JSON.parse(`[${'{},'.repeat(3_000_000)}{}]`) as unknown[]).length

test('an idle process that has started or grown releases unused memory, and has the trace store do the same', async () => {
  // Garbage of test files that ran earlier in this process would leave room for the burst, so that the process would not grow.
  makeCollector()()
  let released = 0
  const check = makeIdleCollection({
    releaseMemory: async () => {
      released += 1
    },
  })
  await eventually(async () => {
    await check()
    assert.equal(released, 1, 'what the start has left')
  })
  await check()
  await check()
  assert.equal(released, 1, 'without growth')
  const before = process.memoryUsage.rss()
  assert.equal(parse(), 3_000_001)
  const peakBytes = process.memoryUsage.rss()
  assert.ok(peakBytes > before + 150 * mebibyte, `${peakBytes - before} bytes more`)
  await eventually(async () => {
    await check()
    assert.equal(released, 2)
  })
  assert.ok(process.memoryUsage.rss() < peakBytes - 100 * mebibyte)
})

test('does not collect in a short pause between two bursts', async () => {
  let released = 0
  const check = makeIdleCollection({
    releaseMemory: async () => {
      released += 1
    },
  })
  for (let burst = 0; burst < 3; burst++) {
    parse()
    await check()
    await pause(20)
    await check()
  }
  assert.equal(released, 0)
})
