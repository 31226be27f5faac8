/**
 * C2, at length: bodies that are cut, malformed, reset and stalled at any byte, at every streaming endpoint, and responses
 * that are not read to their end. PLUMBLINE_FUZZ_STREAMS sets the number, for the group of slow tests.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { seededRandom } from '../../src/statistics/seeded-random.ts'
import { type BrokenRequest, compressors, sendBroken, statusOf } from '../broken-connections.ts'
import { startStreamingService } from '../streaming-service.ts'

const seed = 20_261_122
const requests = Number(hostEnvironment.PLUMBLINE_FUZZ_STREAMS ?? 150)
/** How many connections are open at a time, including stalled ones. */
const batch = 30

const { port, senders, readers, checkItAnswers } = await startStreamingService()
const random = seededRandom(seed)
const draw = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!

/** A request that breaks off at a random place. */
function nextRequest(finish: Promise<unknown>): BrokenRequest {
  if (random() < 0.3)
    return { ...draw(readers), outcome: 'wait', readBytesMax: 1 + Math.floor(random() ** 3 * 1e6) }
  const route = draw(senders)
  const encoding = draw([undefined, undefined, ...Object.keys(compressors)])
  const headers = encoding === undefined ? route.headers : { ...route.headers, 'content-encoding': encoding }
  const whole = Buffer.from(encoding === undefined ? route.body : compressors[encoding]!(route.body))
  if (random() < 0.3) whole[Math.floor(random() * whole.length)] = Math.floor(random() * 256)
  const body = whole.subarray(0, Math.ceil(random() * whole.length))
  // Half of the bodies are cut before they are sent, so that the request itself is complete.
  if (random() < 0.5) return { ...route, headers, body, outcome: 'wait' }
  // Also more bytes than announced: the rest is another request, or nonsense.
  const contentLength = random() < 0.8 ? whole.length : Math.floor(random() * whole.length)
  return {
    ...route,
    headers,
    body,
    contentLength,
    outcome: draw(['finish', 'reset', 'stall']),
    until: finish,
  }
}

test('streams that break anywhere never break the service (C2)', async (context) => {
  const statuses = new Map<number, number>()
  for (let done = 0; done < requests; done += batch) {
    const released = Promise.withResolvers<void>()
    const responses = Array.from({ length: batch }, () => sendBroken(port, nextRequest(released.promise)))
    await checkItAnswers()
    released.resolve()
    for (const response of await Promise.all(responses)) {
      const status = statusOf(response)
      // A backup responds like this while another one is running.
      assert.ok(status < 500 || (status === 503 && response.includes('backup')), response.slice(0, 1000))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  context.diagnostic(`statuses, 0 for none: ${JSON.stringify(Object.fromEntries(statuses))}`)
  await checkItAnswers()
})
