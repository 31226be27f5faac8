/** Traces that join an experiment belong to it in lists, filters and both kinds of sums, even after an interruption. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Clients } from '../engine/clients.ts'
import { measure } from '../metrics/metrics.ts'
import { experimentTraces } from '../read/experiment-traces.ts'
import { findTrace } from '../read/find.ts'
import { listTraces } from '../read/list.ts'
import { batchOf, testLog, testTrace } from '../testing/testing.ts'
import { KilledError, killAfter, openTestClients } from '../testing/testing-clients.ts'
import { insertBatch } from './insert.ts'
import { joinExperiment } from './join-experiment.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

for (const statements of [0, 1, 2, 3, 4])
  test(`traces join an experiment once if interrupted after ${statements} statements and run again`, async () => {
    const [workspaceId, experimentId] = [`w${statements}`, randomUUID()]
    const traces = [1, 2, 3].map((cost) => testTrace({ workspaceId, cost, logCount: 1 }))
    const logs = traces.map((trace) =>
      testLog(trace, { type: 'generation', costInTotals: trace.cost, countsInTotals: true }),
    )
    await insertBatch(clients, batchOf({ traces, logs }))
    const tracesToJoin = traces.slice(0, 2)
    const joining = { experimentId, keys: tracesToJoin, token: `join ${experimentId}` }
    await joinExperiment(killAfter(statements, clients), joining).catch((error: unknown) => {
      if (!(error instanceof KilledError)) throw error
    })
    await joinExperiment(clients, joining)
    await joinExperiment(clients, joining)

    const where = [{ field: 'experiment', is: [experimentId] }]
    const ofExperiment = await listTraces(clients, workspaceId, { where }, { limit: 10 })
    assert.deepEqual(
      ofExperiment.traces.map(({ traceId }) => traceId).toSorted(),
      tracesToJoin.map(({ traceId }) => traceId).toSorted(),
    )
    assert.equal((await experimentTraces(clients, workspaceId, [experimentId], 10)).length, 2)
    const trace = await findTrace(clients, workspaceId, tracesToJoin[0]!.traceId)
    assert.deepEqual(
      [
        trace?.trace.experimentId,
        trace?.trace.sampled,
        trace?.trace.sampleRate,
        trace?.logs[0]?.experimentId,
      ],
      [experimentId, true, 1, experimentId],
    )
    // Hours are read from the roll-ups, minutes from the tables.
    for (const granularity of ['hour', 'minute'] as const) {
      const rows = await measure(clients, workspaceId, {
        measures: ['traces', 'logs', 'cost'],
        dimensions: ['experiment'],
        granularity,
        filters: {},
      })
      const countsFor = (id: string | null) =>
        rows
          .filter(({ experiment, traces: count }) => experiment === id && Number(count) > 0)
          .map((row) => [Number(row.traces), Number(row.logs), Number(row.cost)])
      assert.deepEqual([countsFor(experimentId), countsFor(null)], [[[2, 2, 3]], [[1, 1, 3]]], granularity)
    }
  })
