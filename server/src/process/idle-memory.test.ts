/** Operator review, finding 7: memory was not given back after a burst. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../../fixtures/eventually.ts'
import { makeCollector, makeIdleCollection } from './idle-memory.ts'

const mebibyte = 2 ** 20

const parse = (): number => (JSON.parse(`[${'{},'.repeat(3_000_000)}{}]`) as unknown[]).length

test('an idle process that has started or grown returns what it does not use, and has the trace store do the same', async () => {
  // Garbage of files that ran before in this process would have room for the burst, which then would not grow it.
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

test('a pause between two bursts is too short to collect in', async () => {
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
