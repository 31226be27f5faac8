/** The traces of a session are found without reading the sessions of all traces. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Clients } from '../engine/clients.ts'
import { traceConditions } from '../filters/filters.ts'
import { batchOf, testTrace } from '../testing/testing.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import { insertBatch } from '../write/insert.ts'
import { listTraces } from './list.ts'

const workspaceId = randomUUID()
const sessions = 100
/** Granules of at most 1,024 traces. */
const tracesOfSession = 35
const sessionId = 'session 50'
const filters = { where: [{ field: 'session', is: [sessionId] }] }

let clients: Clients
before(async () => {
  clients = await openTestClients()
  const traces = Array.from({ length: sessions * tracesOfSession }, (_, index) =>
    testTrace({
      workspaceId,
      startUs: BigInt(index),
      sessionId: `session ${Math.floor(index / tracesOfSession)}`,
    }),
  )
  await insertBatch(clients, batchOf({ traces }))
})
after(() => clients.close())

test('a list of a session has all of its traces', async () => {
  const { traces } = await listTraces(clients, workspaceId, filters, { limit: 100 })
  assert.deepEqual([...new Set(traces.map((trace) => trace.sessionId))], [sessionId])
  assert.equal(traces.length, tracesOfSession)
})

test('its condition reads only the granules that contain the session', async () => {
  const { sql, parameters } = traceConditions(workspaceId, filters)
  const lines = await clients.read<{ explain: string }>(
    `EXPLAIN indexes = 1 SELECT count() FROM traces WHERE ${sql.join(' AND ')}`,
    parameters,
  )
  const text = lines.map(({ explain }) => explain).join('\n')
  const [, read, all] = /Name: session_ids[\s\S]*?Granules: (\d+)\/(\d+)/.exec(text) ?? []
  assert.ok(Number(all) >= 3 && Number(read) < Number(all), text)
})
