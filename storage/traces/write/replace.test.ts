/** A replacement that is interrupted after any of its statements and run again has the same result. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Clients } from '../engine/clients.ts'
import { measure } from '../metrics/metrics.ts'
import { findTrace } from '../read/find.ts'
import type { TraceRow } from '../rows/row-types.ts'
import { encodeLogs, encodeTraces } from '../rows.ts'
import { testLog, testTrace } from '../testing/testing.ts'
import { KilledError, killAfter, openTestClients } from '../testing/testing-clients.ts'
import { replaceTraces } from './replace.ts'
import type { Replacement } from './write-types.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

let lastRevision = 0

/** Replaces a trace with one that has a number of logs, each of which cost a dollar. */
function replacement(
  trace: TraceRow,
  logs: number,
  old: TraceRow | undefined,
  revision: number,
): Replacement {
  const row = { ...trace, logCount: logs, cost: logs, inputTokens: logs }
  const assembled = { revision, otelTraceId: 'a'.repeat(32) }
  const logRows = Array.from({ length: logs }, (_, position) =>
    testLog(row, { position, logId: `${position}`, type: 'generation', inputTokens: 1, costInTotals: 1 }),
  )
  return {
    revision,
    traces: encodeTraces([row], assembled),
    logs: encodeLogs(logRows, assembled),
    scores: Buffer.alloc(0),
    keys: [trace, ...(old === undefined ? [] : [old])],
    replaces: old !== undefined,
  }
}

async function check(trace: TraceRow, logs: number): Promise<void> {
  const result = await findTrace(clients, trace.workspaceId, trace.traceId)
  assert.equal(result?.trace.logCount, logs)
  assert.equal(result?.logs.length, logs)
  const ask = (dimensions: ['type'] | [], filters = {}) =>
    measure(clients, trace.workspaceId, { measures: ['logs', 'cost', 'inputTokens'], dimensions, filters })
  for (const dimensions of [[], ['type']] as const) {
    const queryDimensions = [...dimensions] as ['type'] | []
    assert.deepEqual(await ask(queryDimensions), await ask(queryDimensions, { minDurationMs: 0 }))
    const [row] = await ask(queryDimensions)
    assert.deepEqual([row?.logs, row?.cost, row?.inputTokens], [logs, logs, logs])
  }
}

/** Two inserts of rows, two of differences, and two deletes. */
const statements = 6

for (let done = 0; done <= statements; done++) {
  test(`interrupted after ${done} of ${statements} statements, it is completed as planned`, async () => {
    const workspaceId = randomUUID()
    const old = testTrace({ workspaceId, durationUs: 5000n })
    const trace = { ...old, startUs: old.startUs - 3_600_000_000n, name: 'replaced' }
    await replaceTraces(clients, replacement(old, 2, undefined, ++lastRevision))
    const next = replacement(trace, 3, old, ++lastRevision)
    const cut = replaceTraces(killAfter(done, clients), next)
    if (done < statements) await assert.rejects(cut, KilledError)
    else await cut
    const duringReplacement = await findTrace(clients, workspaceId, old.traceId)
    assert.equal(
      duringReplacement?.logs.length,
      duringReplacement?.trace.logCount,
      'it can be read whole meanwhile',
    )
    await replaceTraces(clients, next)
    await check(trace, 3)
  })

  test(`interrupted after ${done} of ${statements} statements, it is corrected by the next one, even with other rows`, async () => {
    const workspaceId = randomUUID()
    const old = testTrace({ workspaceId, durationUs: 5000n })
    await replaceTraces(clients, replacement(old, 2, undefined, ++lastRevision))
    const revision = ++lastRevision
    const cut = replaceTraces(killAfter(done, clients), replacement(old, 3, old, revision))
    if (done < statements) await assert.rejects(cut, KilledError)
    else await cut
    // More spans have arrived before the interrupted plan is carried out again.
    await replaceTraces(clients, replacement(old, 4, old, revision))
    await replaceTraces(clients, replacement(old, 4, old, ++lastRevision))
    await check(old, 4)
  })
}
