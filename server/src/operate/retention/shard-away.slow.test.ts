// One control plane is enough: only a part of the trace store is unavailable.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { openControlStore } from '@plumbline/storage/control'
import { engines } from '@plumbline/storage/control/testing'
import { openTraceStore, TraceStoreUnavailable } from '@plumbline/storage/traces'
import { batchOf, shardOf, testTrace, testTraceId } from '@plumbline/storage/traces/testing'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { makeMutex } from '../../process/mutex.ts'
import { makeSliceSize } from '../deletions/delete-slice.ts'
import { expireTraces } from './expire-traces.ts'

const now = new Date('2026-03-31T12:00:00Z')
const dayMs = 86_400_000

it('while a shard is unavailable, traces of workspaces on the others expire', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const shards = [await startHttpEngine(join(folder, '1')), await startHttpEngine(join(folder, '2'))]
  const place = await engines.find(({ name }) => name === 'SQLite')!.emptyPlace()
  const control = await openControlStore(place.location)
  const traceStore = await openTraceStore({ url: shards.map(({ url }) => url).join(',') })
  t.after(async () => {
    await traceStore.close().catch(() => undefined)
    for (const shard of shards) await shard.stop()
    await control.close()
    await place.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const numberOf = new Map<string, number>()
  // Enough for both shards to have some, whatever the ids.
  while (new Set(numberOf.values()).size < 2 || numberOf.size < 8) {
    const { id: workspaceId } = await control.createWorkspace({ name: 'Test' })
    await control.scopedTo({ workspaceId }).retention.update({ days: 5 })
    numberOf.set(workspaceId, shardOf(workspaceId, 2))
    const traces = [3, 10].map((days) =>
      testTrace({ workspaceId, traceId: testTraceId(now.getTime() - days * dayMs) }),
    )
    await traceStore.insert(batchOf({ traces }))
  }
  const expire = () =>
    expireTraces(
      {
        control,
        traceStore,
        traceChanges: makeMutex(),
        untilStored: async () => {},
        sliceSize: makeSliceSize(),
        signal: new AbortController().signal,
      },
      now,
    )
  const countTraces = async (number: number): Promise<number[]> => {
    const ids = [...numberOf.keys()].filter((id) => numberOf.get(id) === number)
    return Promise.all(
      ids.map(async (id) => (await traceStore.scopedTo(id).list({}, { limit: 9 })).traces.length),
    )
  }
  const allHave = (counts: readonly number[], traces: number): boolean =>
    counts.every((count) => count === traces)

  await shards[1]!.stop()
  assert.ok((await expire()) instanceof TraceStoreUnavailable)
  assert.ok(allHave(await countTraces(0), 1))
  shards[1] = await startHttpEngine(join(folder, '2'), Number(new URL(shards[1]!.url).port))
  assert.ok(allHave(await countTraces(1), 2))
  assert.equal(await expire(), undefined)
  assert.ok(allHave(await countTraces(1), 1))
})
