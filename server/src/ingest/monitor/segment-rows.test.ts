import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Segment } from '@plumbline/storage/spool'
import { readRows } from '@plumbline/storage/traces/rows'
import { eventually } from '../../../../fixtures/eventually.ts'
import { type OpenDrain, openDrain } from '../../../testing/open-drain.ts'
import { newId } from '../../id.ts'
import { type Accepted, encodeRecord } from './record.ts'
import { makeSegmentRows } from './segment-rows.ts'
import type { SegmentRows } from './worker/worker-messages.ts'

/** Seals a segment of traces, of which each has about so many bytes. */
async function sealTraces(
  { spool, workspaceId }: OpenDrain,
  { traces = 1, bytesEach = 100 } = {},
): Promise<Segment> {
  for (let count = 0; count < traces; count++) {
    const record: Accepted = {
      type: 'trace',
      ...{ workspaceId, apiKeyId: '', receivedAtMs: Date.now(), traceId: newId(new Date()) },
      ...{ featureSlug: null, isSampled: false, sampleRate: null, warning: null, prompts: {} },
    }
    const body = {
      name: 'a trace',
      input: 'x'.repeat(bytesEach),
      startTime: '2026-11-01T00:00:00Z',
      logs: [],
    }
    await spool.append(randomUUID(), encodeRecord(record, Buffer.from(JSON.stringify(body))))
  }
  await spool.seal()
  return spool.sealed().at(-1)!
}

const countTraces = ({ traces }: SegmentRows): number =>
  traces.length === 0 ? 0 : readRows(Buffer.from(traces)).length

/** Rows of segments, and how often a segment's were made. */
function openRows({ spool, worker, workspaceId }: OpenDrain) {
  let madeCount = 0
  let fails = false
  const rows = makeSegmentRows({
    ...{ spool, worker, makesWholeTraces: false },
    async overrides() {
      madeCount++
      if (fails) throw new Error('The control store is away.')
      return {}
    },
    liveRates: async () => ({}),
  })
  const conditions = { workspaceIds: [workspaceId], listsRecords: false }
  return {
    rows,
    conditions,
    madeCount: () => madeCount,
    startFailing: () => {
      fails = true
    },
    stopFailing: () => {
      fails = false
    },
  }
}

test('rows of segments', async (t) => {
  const parts = await openDrain(t)

  await t.test('rows of an announced segment are made once', async () => {
    const { rows, conditions, madeCount } = openRows(parts)
    const first = await sealTraces(parts)
    const second = await sealTraces(parts, { traces: 2 })
    rows.announce(second, conditions)
    rows.announce(second, conditions)
    await eventually(async () => assert.equal(madeCount(), 1))
    assert.equal(countTraces(await rows.take(first, conditions)), 1)
    assert.equal(countTraces(await rows.take(second, conditions)), 2)
    assert.equal(madeCount(), 2)
    // Taken again, as after an insert that failed.
    assert.equal(countTraces(await rows.take(second, conditions)), 2)
  })

  await t.test(
    'rows are made anew where a workspace has been deleted since, or a part of the segment was stored',
    async () => {
      const { rows, conditions } = openRows(parts)
      const segment = await sealTraces(parts, { traces: 3 })
      rows.announce(segment, conditions)
      const withoutWorkspace = await rows.take(segment, { ...conditions, workspaceIds: [] })
      assert.equal(countTraces(withoutWorkspace), 0)

      rows.announce(segment, conditions)
      const id = [...parts.spool.ids()].at(-1)!
      await parts.spool.reduce(segment, { ids: new Set([id]), shards: [1] })
      const rest = parts.spool.sealed().at(-1)
      assert.equal(countTraces(await rows.take(rest!, conditions)), 1)
    },
  )

  await t.test('what failed when it was announced is tried again when it is taken', async () => {
    const { rows, conditions, startFailing, stopFailing, madeCount } = openRows(parts)
    const segment = await sealTraces(parts)
    startFailing()
    rows.announce(segment, conditions)
    await assert.rejects(rows.take(segment, conditions), /The control store is away/)
    stopFailing()
    assert.equal(countTraces(await rows.take(segment, conditions)), 1)
    assert.equal(madeCount(), 3)
  })
})

test('rows of the next segment are made while those of one are stored', async (t) => {
  let madeCount = 0
  let insertCount = 0
  const parts = await openDrain(t, {
    async overrides() {
      madeCount++
      return {}
    },
    seenBy: (store) => ({
      ...store,
      async insert(batch) {
        insertCount++
        if (insertCount === 1) await eventually(async () => assert.equal(madeCount, 2))
        return store.insert(batch)
      },
    }),
  })
  await sealTraces(parts)
  await sealTraces(parts)
  await parts.drain.settle()
  assert.deepEqual([insertCount, madeCount], [2, 2])
})

test('merges are deferred while a burst is stored, and no longer', async (t) => {
  const calls: boolean[] = []
  let isDiskFull = false
  const parts = await openDrain(t, {
    segmentBytesMax: 2 ** 23,
    seenBy: (store) => ({
      ...store,
      async deferMerges(isDeferred) {
        calls.push(isDeferred)
        if (isDiskFull && isDeferred) throw new Error('The disk is full.')
        await store.deferMerges(isDeferred)
      },
    }),
  })
  await sealTraces(parts, { traces: 8, bytesEach: 2 ** 20 })
  await parts.drain.settle()
  assert.deepEqual(calls, [])
  await sealTraces(parts, { traces: 34, bytesEach: 2 ** 20 })
  await parts.drain.settle()
  assert.deepEqual(calls, [true, false])
  isDiskFull = true
  await sealTraces(parts, { traces: 34, bytesEach: 2 ** 20 })
  await parts.drain.settle()
  assert.deepEqual(calls, [true, false, true, false])
  assert.deepEqual(parts.spool.sealed(), [])
})
