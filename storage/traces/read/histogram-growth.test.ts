/** A histogram takes several statements, and traces that grow between them move. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Clients } from '../engine/clients.ts'
import { testTrace } from '../testing/testing.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import { recordMovingTraces } from '../testing/testing-growth.ts'
import type { HistogramRange, TraceFilters } from '../types.ts'
import { countOverTime } from './histogram.ts'

const hourUs = 3_600_000_000n
const startUs = BigInt(Date.parse('2026-03-01T12:30:00Z')) * 1000n

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

/** Chooses the width by range, so that filtered traces are counted in narrower buckets. */
const chooseWidth = ({ firstUs, lastUs }: HistogramRange): bigint =>
  lastUs - firstUs > 10n * hourUs ? 10n * hourUs : hourUs

const moves = { before: -30n * hourUs, after: 30n * hourUs }
const allFilters: Readonly<Record<string, TraceFilters>> = {
  'of all': {},
  'of some': { where: [{ field: 'name', is: ['moves', 'stays'] }] },
}

const makeTraces = (workspaceId: string) =>
  [
    testTrace({ workspaceId, startUs, name: 'moves' }),
    testTrace({ workspaceId, startUs: startUs + 2n * hourUs, name: 'stays' }),
    testTrace({ workspaceId, startUs: startUs + 20n * hourUs, name: 'not among some' }),
  ] as const

for (const [what, filters] of Object.entries(allFilters))
  for (const [where, moveUs] of Object.entries(moves))
    test(`a trace that moves ${where} the others during the read is counted once, in a histogram ${what}`, async () => {
      const workspaces = await recordMovingTraces(clients, startUs + moveUs, makeTraces)
      for (const { workspaceId, movingClients, moment } of workspaces) {
        const histogram = await countOverTime(movingClients, workspaceId, filters, { chooseWidth })
        assert.ok(histogram)
        const { range, widthUs, buckets } = histogram
        const listed = buckets.filter(
          (bucket) => bucket.startUs + widthUs > range.firstUs && bucket.startUs <= range.lastUs,
        )
        const counted = listed.reduce((sum, { traces }) => sum + traces, 0)
        assert.equal(counted, filters.where === undefined ? 3 : 2, moment)
      }
    })
