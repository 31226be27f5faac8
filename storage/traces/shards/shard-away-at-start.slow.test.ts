/** A store is opened while one shard does not respond, and checks and migrates it once it does. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../fixtures/eventually.ts'
import { freePort } from '../../../fixtures/free-port.ts'
import { TraceStoreUnavailable } from '../engine/errors.ts'
import { openTraceStore } from '../open.ts'
import type { TraceStore } from '../store.ts'
import { type HttpEngine, startHttpEngine } from '../testing/http-engine.ts'
import { batchOf, testTrace } from '../testing/testing.ts'
import { shardOf } from './divide-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-shards-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A workspace on the shard with this number, of two. */
function newWorkspace(number: number): string {
  for (;;) {
    const id = randomUUID()
    if (shardOf(id, 2) === number - 1) return id
  }
}

const countTraces = async (store: TraceStore, workspaceId: string): Promise<number> =>
  (await store.scopedTo(workspaceId).list({}, { limit: 100 })).traces.length

const arePingsAnswered = (store: TraceStore): Promise<boolean[]> =>
  Promise.all(store.pings.map((ping) => ping()))

test('a shard that is away at startup is reported, and used once it is back', async (t) => {
  const first = await startHttpEngine(join(folder, 'first'))
  const port = await freePort()
  const changes: string[] = []
  const store = await openTraceStore(
    { url: `${first.url},http://127.0.0.1:${port}` },
    {
      onShardAway: (number) => changes.push(`${number} is away`),
      onShardBack: (number) => changes.push(`${number} is back`),
    },
  )
  let second: HttpEngine | undefined
  t.after(async () => {
    await store.close()
    await first.stop()
    await second?.stop()
  })
  assert.deepEqual(changes, ['2 is away'])
  const ids = [newWorkspace(1), newWorkspace(2)] as const
  const batch = batchOf({ traces: ids.map((workspaceId) => testTrace({ workspaceId })) })
  await assert.rejects(store.insert(batch), TraceStoreUnavailable)
  assert.equal(await countTraces(store, ids[0]), 1)
  await assert.rejects(countTraces(store, ids[1]), TraceStoreUnavailable)
  assert.deepEqual(await arePingsAnswered(store), [true, false])

  // It has no tables yet.
  second = await startHttpEngine(join(folder, 'second'), port)
  await eventually(async () => assert.deepEqual(await arePingsAnswered(store), [true, true]))
  assert.deepEqual(changes, ['2 is away', '2 is back'])
  for (let attempt = 0; attempt < 2; attempt++) await store.insert(batch)
  assert.equal(await countTraces(store, ids[0]), 1)
  assert.equal(await countTraces(store, ids[1]), 1)
})

test('a store that returns as another shard gets no rows, and the error says which shard it is', async (t) => {
  const engines = [
    await startHttpEngine(join(folder, 'a')),
    await startHttpEngine(join(folder, 'b')),
  ] as const
  const urls = engines.map(({ url }) => url)
  await (await openTraceStore({ url: urls.join(',') })).close()
  const port = await freePort()
  const store = await openTraceStore({ url: `${urls[0]},http://127.0.0.1:${port}` })
  // The first shard again, at the address of the second.
  await engines[1].stop()
  await engines[0].stop()
  const wrong = await startHttpEngine(join(folder, 'a'), port)
  t.after(async () => {
    await store.close()
    await wrong.stop()
  })
  const batch = batchOf({ traces: [testTrace({ workspaceId: newWorkspace(2) })] })
  await assert.rejects(store.insert(batch), (error) => {
    assert.ok(error instanceof TraceStoreUnavailable)
    assert.match(error.message, /^Address 2 of CLICKHOUSE_URL is shard 1 of 2/)
    return true
  })
  assert.deepEqual(await arePingsAnswered(store), [false, false])
})

test('a store is not opened if none of its shards responds', async () => {
  const ports = [await freePort(), await freePort()]
  const url = ports.map((port) => `http://127.0.0.1:${port}`).join(',')
  await assert.rejects(openTraceStore({ url }), /ECONNREFUSED/)
})

test('a shard that accepts connections but never responds delays startup by seconds only', async (t) => {
  const first = await startHttpEngine(join(folder, 'there'))
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const awayShards: number[] = []
  const store = await openTraceStore(
    { url: `${first.url},http://127.0.0.1:${port}` },
    { onShardAway: (number) => awayShards.push(number) },
  )
  t.after(async () => {
    await store.close()
    silent.close()
    await first.stop()
  })
  assert.deepEqual(awayShards, [2])
  await assert.rejects(countTraces(store, newWorkspace(2)), /does not respond/)
})
