/** The condition of a sample is true in its windows and nowhere else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import type { Clients } from '../engine/clients.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import { isInSample, replicateOf, replicates, windowsBetween } from './trace-sample.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

/** Edges from before 1970 onwards, some of them equal. */
const manyEdges = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 10 ** 12 })), {
    minLength: 1,
    maxLength: 64,
  })
  .map((gaps) => {
    let edgeUs = -2_000_000n
    return [edgeUs, ...gaps.map((gap) => (edgeUs += BigInt(gap)))]
  })
const shares = fc.double({ min: 0.001, max: 1, noNaN: true })

test('a start is in the sample if it is in a window, and has the replicate of that window', async () => {
  await fc.assert(
    fc.asyncProperty(manyEdges, shares, async (edges, share) => {
      const windows = windowsBetween(edges, share)
      const sample = { total: 1, base: {}, windows }
      const starts = new Set(
        windows.flatMap(({ fromUs, toUs }) => [fromUs - 1n, fromUs, (fromUs + toUs) / 2n, toUs - 1n, toUs]),
      )
      const rows = await clients.search<{ text: string; r: number }>(
        `SELECT toString(start) AS text, ${replicateOf(sample, 'start')} AS r
         FROM (SELECT arrayJoin(arrayMap(x -> toInt64(x), {starts:Array(String)})) AS start)
         WHERE ${isInSample(sample, 'start')}`,
        { starts: [...starts].map(String) },
      )
      const expected = [...starts].flatMap((start) => {
        const index = windows.findIndex(({ fromUs, toUs }) => start >= fromUs && start < toUs)
        return index < 0 ? [] : [[String(start), index % replicates]]
      })
      assert.deepEqual(
        rows.map(({ text, r }) => [text, r]),
        expected,
      )
    }),
    propertyRuns(60),
  )
})

test('windows do not overlap, and with a fraction of 1 they cover everything', () => {
  fc.assert(
    fc.property(manyEdges, shares, (edges, share) => {
      const windows = windowsBetween(edges, share)
      for (const [index, { toUs }] of windows.slice(0, -1).entries())
        assert.ok(toUs <= windows[index + 1]!.fromUs)
      const whole = windowsBetween(edges, 1)
      for (const startUs of edges.slice(1).map((edge) => edge - 1n))
        if (startUs >= edges[0]!)
          assert.ok(
            whole.some(({ fromUs, toUs }) => startUs >= fromUs && startUs < toUs),
            `${startUs}`,
          )
    }),
    propertyRuns(200),
  )
})
