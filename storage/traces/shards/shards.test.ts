/**
 * Two servers as shards of one store: where rows are stored, what happens while one is away, and which addresses are
 * refused.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openClients } from '../engine/clients.ts'
import { TraceStoreRefused, TraceStoreUnavailable } from '../engine/errors.ts'
import { openTraceStore } from '../open.ts'
import type { TraceStore } from '../store.ts'
import { type HttpEngine, startHttpEngine } from '../testing/http-engine.ts'
import { batchOf, testLog, testTrace, tracesWithNameAsErrors } from '../testing/testing.ts'
import { shardOf } from './divide-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-shards-'))
const folders = [join(folder, 'first'), join(folder, 'second')] as const
const engines: HttpEngine[] = []
let store: TraceStore

const urls = (): string => engines.map(({ url }) => url).join(',')
before(async () => {
  for (const each of folders) engines.push(await startHttpEngine(each))
  store = await openTraceStore({ url: urls() })
})
after(async () => {
  await store.close()
  for (const engine of engines) await engine.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Workspaces that alternate between both shards. */
function newWorkspaces(count: number): string[] {
  const ids: string[] = []
  while (ids.length < count) {
    const id = randomUUID()
    if (shardOf(id, 2) === ids.length % 2) ids.push(id)
  }
  return ids
}

const tracesIn = async (workspaceIds: readonly string[], traceStore = store): Promise<number[]> =>
  Promise.all(
    workspaceIds.map(async (id) => (await traceStore.scopedTo(id).list({}, { limit: 1000 })).traces.length),
  )

/** How many rows a server has of each workspace. */
async function rowsAt({ url }: HttpEngine, workspaceIds: readonly string[]): Promise<number[]> {
  const clients = openClients({ url })
  const rows = await clients.read<{ id: string; count: string }>(
    `SELECT workspace_id AS id, toString(count()) AS count FROM
       (SELECT workspace_id FROM traces UNION ALL SELECT workspace_id FROM logs) GROUP BY id`,
    {},
  )
  await clients.close()
  return workspaceIds.map((id) => Number(rows.find((row) => row.id === id)?.count ?? 0))
}

test('a workspace always belongs to the same shard', () => {
  // The shard depends on the first bytes of the SHA-256.
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  assert.deepEqual(
    ids.map((id) => shardOf(id, 2)),
    [0, 0, 1, 1, 1, 0, 1, 0],
  )
  assert.ok(ids.every((id) => shardOf(id, 1) === 0))
})

test('each workspace is on one shard, with all of its rows', async () => {
  const ids = newWorkspaces(4)
  const traces = Array.from({ length: 40 }, (_trace, index) => testTrace({ workspaceId: ids[index % 4]! }))
  const logs = traces.flatMap((trace) => [testLog(trace), testLog(trace)])
  assert.deepEqual(await store.insert(batchOf({ traces, logs })), { rejectedRows: [] })
  assert.deepEqual(await tracesIn(ids), [10, 10, 10, 10])
  assert.deepEqual(await rowsAt(engines[0]!, ids), [30, 0, 30, 0])
  assert.deepEqual(await rowsAt(engines[1]!, ids), [0, 30, 0, 30])
  assert.equal(store.counts().rowsInserted, 120)
})

test('a rejected row is reported with its index in the batch', async () => {
  const ids = newWorkspaces(2)
  const traces = Array.from({ length: 12 }, (_trace, index) =>
    testTrace({ workspaceId: ids[Math.floor(index / 3) % 2]!, name: [4, 9].includes(index) ? 'many' : '1' }),
  )
  const blocks = [traces.slice(0, 7), traces.slice(7)].map(tracesWithNameAsErrors)
  const { rejectedRows } = await store.insert({ ...batchOf({}), traces: Buffer.concat(blocks) })
  assert.deepEqual(rejectedRows.map(({ row }) => row).toSorted(), [4, 9])
  assert.deepEqual(await tracesIn(ids), [6, 4])
})

test('while one shard is away the others are read, and a batch that is repeated afterwards is stored once', async () => {
  const ids = newWorkspaces(4)
  const batch = batchOf({
    traces: Array.from({ length: 20 }, (_trace, index) => testTrace({ workspaceId: ids[index % 4]! })),
  })
  await engines[1]!.stop()
  for (let attempt = 0; attempt < 2; attempt++)
    await assert.rejects(
      store.insert(batch),
      (error) => error instanceof TraceStoreUnavailable && error.shard === 2,
    )
  assert.deepEqual(await store.insert({ ...batch, withoutShards: new Set([2]) }), { rejectedRows: [] })
  // The reachable shard suffices to detect a migration by a newer version.
  await store.refuseNewer()
  assert.deepEqual(
    ids.map((id) => store.shardOf(id)),
    [1, 2, 1, 2],
  )
  assert.deepEqual(await tracesIn([ids[0]!, ids[2]!]), [5, 5])
  await assert.rejects(tracesIn([ids[1]!]), TraceStoreUnavailable)
  assert.deepEqual(await Promise.all(store.pings.map((ping) => ping())), [true, false])
  await store.close()
  engines[1] = await startHttpEngine(folders[1])
  store = await openTraceStore({ url: urls() })
  for (let attempt = 0; attempt < 2; attempt++) await store.insert(batch)
  assert.deepEqual(await tracesIn(ids), [5, 5, 5, 5])
  const [sums] = await store.scopedTo(ids[1]!).measure({
    measures: ['traces'],
    granularity: 'hour',
    dimensions: [],
    filters: {},
  })
  assert.equal(sums?.traces, 5)
})

test('shard addresses in another order, or with some missing, are refused', async () => {
  const [first, second] = engines.map(({ url }) => url)
  const assertRefused = async (url: string, sentence: RegExp): Promise<void> =>
    void (await assert.rejects(openTraceStore({ url }), (error) => {
      assert.ok(error instanceof TraceStoreRefused)
      assert.match(error.message, sentence)
      return true
    }))
  await assertRefused(`${second},${first}`, /^Address 1 of CLICKHOUSE_URL is shard 2 of 2: .* all 2 shards/)
  await assertRefused(`${second}`, /^The store at CLICKHOUSE_URL is shard 2 of 2/)
  await assertRefused(`${first},${second},${first}`, /^Address 1 of CLICKHOUSE_URL is shard 1 of 2/)
})

test('a store that has the traces of a single shard cannot become one of several', async () => {
  const alone = await startHttpEngine(join(folder, 'alone'))
  const single = await openTraceStore({ url: alone.url })
  await single.insert(batchOf({ traces: [testTrace({ workspaceId: 'w' })] }))
  await single.close()
  await assert.rejects(
    openTraceStore({ url: `${alone.url},${engines[1]!.url}` }),
    /^TraceStoreRefused: Address 1 .* installation with one shard/,
  )
  const again = await openTraceStore({ url: alone.url })
  assert.deepEqual(await tracesIn(['w'], again), [1])
  await again.close()
  await alone.stop()
})
