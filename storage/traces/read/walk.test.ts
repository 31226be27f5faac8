import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Clients } from '../engine/clients.ts'
import { TraceStoreUnavailable } from '../engine/errors.ts'
import { batchOf, testLog, testTrace } from '../testing/testing.ts'
import { openTestClients } from '../testing/testing-clients.ts'
import { insertBatch } from '../write/insert.ts'
import { walkTraces } from './walk.ts'

let clients: Clients
before(async () => {
  clients = await openTestClients()
})
after(() => clients.close())

const megabyte = 1024 ** 2

/** Records traces with one log each and the given sizes in bytes, newest first. */
async function record(sizes: readonly number[]): Promise<{ workspaceId: string; ids: string[] }> {
  const workspaceId = randomUUID()
  const traces = sizes.map((_, index) =>
    testTrace({ workspaceId, startUs: BigInt(sizes.length - index), logCount: 1 }),
  )
  const logs = traces.map((trace, index) => testLog(trace, { output: `"${'x'.repeat(sizes[index]!)}"` }))
  await insertBatch(clients, batchOf({ traces, logs }))
  return { workspaceId, ids: traces.map(({ traceId }) => traceId) }
}

/** The result size of each statement that reads logs, in bytes. */
function observeLogs(): { readonly clients: Clients; readonly bytes: number[] } {
  const bytes: number[] = []
  return {
    bytes,
    clients: {
      ...clients,
      async search<Row>(...[sql, parameters]: Parameters<Clients['search']>) {
        const rows = await clients.search<Row>(sql, parameters)
        if (sql.includes('FROM logs')) bytes.push(JSON.stringify(rows).length)
        return rows
      },
    },
  }
}

const idsOf = async (walk: ReturnType<typeof walkTraces>): Promise<string[]> =>
  (await Array.fromAsync(walk)).map(({ trace }) => trace.traceId)

test('large traces are read a few at a time from the first page on', async () => {
  const { workspaceId, ids } = await record(Array(60).fill(megabyte))
  const { clients: observed, bytes } = observeLogs()
  assert.deepEqual(await idsOf(walkTraces(observed, workspaceId, {})), ids)
  assert.ok(Math.max(...bytes) < 20 * megabyte, `${Math.max(...bytes)}`)
})

test('large traces after many small ones are not read with an equally large page', async () => {
  const { workspaceId, ids } = await record([...Array(200).fill(10), ...Array(60).fill(megabyte)])
  const { clients: observed, bytes } = observeLogs()
  assert.deepEqual(await idsOf(walkTraces(observed, workspaceId, {})), ids)
  assert.ok(Math.max(...bytes) < 40 * megabyte, `${Math.max(...bytes)}`)
  assert.ok(bytes.length < 40, `${bytes.length}`)
})

test('a page that takes too long is read again with fewer traces, and fails once it has a single trace', async () => {
  const { workspaceId, ids } = await record(Array(100).fill(10))
  const failures: number[] = []
  const slowFrom = (most: number): Clients => ({
    ...clients,
    search<Row>(...[sql, parameters]: Parameters<Clients['search']>) {
      const traces = parameters.traces as readonly string[]
      if (sql.includes('FROM logs') && traces.length > most) {
        failures.push(traces.length)
        throw new TraceStoreUnavailable('slow', { reason: 'too slow' })
      }
      return clients.search<Row>(sql, parameters)
    },
  })
  assert.deepEqual(await idsOf(walkTraces(slowFrom(10), workspaceId, {})), ids)
  assert.ok(failures.length < 10, `${failures}`)
  await assert.rejects(idsOf(walkTraces(slowFrom(0), workspaceId, {})), { reason: 'too slow' })
})
