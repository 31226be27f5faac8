/** Two nodes on the same stores: each has its own mutex, and only the control store keeps their deletions apart. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import { type Deletion, deletionJobKind } from '@plumbline/storage/control'
import { forEachControlStore, type OpenedWorkspace } from '@plumbline/storage/control/testing'
import type { TraceStore } from '@plumbline/storage/traces'
import { batchOf, openTestTraceStore, testLog, testTrace } from '@plumbline/storage/traces/testing'
import { makeMutex } from '../../process/mutex.ts'
import { deleteNextSlice, makeSliceSize, type SliceDeps, type StepResult } from './delete-slice.ts'
import { progressOf } from './progress.ts'

let traceStore: TraceStore
before(async () => {
  traceStore = await openTestTraceStore()
})
after(() => traceStore.close())

const now = () => new Date()

forEachControlStore('slices of deletions', (open) => {
  const nodeOn = (
    { store }: OpenedWorkspace,
    planSlice: TraceStore['planSlice'] = traceStore.planSlice,
  ): SliceDeps => ({
    control: store,
    traceStore: { planSlice, deleteSlice: traceStore.deleteSlice },
    traceChanges: makeMutex(),
    untilAssembled: async () => {},
    sliceSize: makeSliceSize(),
    now,
  })
  async function record({ workspaceId }: OpenedWorkspace, count: number): Promise<void> {
    const traces = Array.from({ length: count }, () =>
      testTrace({ workspaceId, logCount: 1, cost: 1, userId: 'ada' }),
    )
    await traceStore.insert(batchOf({ traces, logs: traces.map((trace) => testLog(trace, { model: 'm' })) }))
  }
  const request = ({ workspace }: OpenedWorkspace): Promise<Deletion> =>
    workspace.dataDeletions.create(
      {
        type: 'traces',
        selection: JSON.stringify({ filter: { userId: 'ada' } }),
        requestHash: 'hash',
        expected: 2,
        requestedBy: 'somebody',
        requestedByName: 'Somebody',
      },
      new Date(Date.now() + 60_000),
    )
  const step = (node: SliceDeps, deletion: Deletion): Promise<StepResult> =>
    deleteNextSlice(node, deletion, (progress) => ({ ...progress, step: 'scores' }))
  async function deleteAll(node: SliceDeps, deletion: Deletion): Promise<Deletion> {
    let latest = deletion
    while (progressOf(latest).step !== 'scores') {
      latest = (await step(node, latest)).deletion
      // SQLite never waits, and the trace store needs the event loop.
      await pause()
    }
    return latest
  }
  async function sumsOf({ workspaceId }: OpenedWorkspace) {
    const traces = traceStore.scopedTo(workspaceId)
    return Promise.all([
      traces.measure({ measures: ['traces', 'cost'], dimensions: [], filters: {} }),
      traces.measure({ measures: ['logs'], dimensions: [], filters: {} }),
    ])
  }
  const noSums = [[{ traces: 0, cost: null }], [{ logs: 0 }]]

  test('two deletions that find the same traces at the same time subtract them once', async () => {
    const opened = await open()
    await record(opened, 2)
    const deletions = await Promise.all([request(opened), request(opened)])
    let ended = 0
    let planned = 0
    const either = Promise.withResolvers<void>()
    // Neither continues before both have a plan, or one has ended without any.
    const nodes = deletions.map(() =>
      nodeOn(opened, async (...input) => {
        const plan = await traceStore.planSlice(...input)
        planned += 1
        if (planned + ended === 2) either.resolve()
        await either.promise
        return plan
      }),
    )
    const steps = await Promise.all(
      deletions.map(async (deletion, index) => {
        const result = await step(nodes[index]!, deletion)
        ended += 1
        if (planned + ended === 2) either.resolve()
        return result
      }),
    )
    const finished = await Promise.all(steps.map(({ deletion }) => deleteAll(nodeOn(opened), deletion)))
    assert.deepEqual(await sumsOf(opened), noSums)
    assert.equal(
      finished.reduce((sum, { counts }) => sum + (counts.traces ?? 0), 0),
      2,
    )
  })

  test('a deletion cancelled in the middle of a slice does not block others, and is retried after the slice', async () => {
    const away = async (): Promise<never> => {
      throw new Error('The trace store is away.')
    }
    for (const isPlanned of [false, true]) {
      const opened = await open()
      const { store, workspaceId } = opened
      await record(opened, 2)
      const [deletion, other] = [await request(opened), await request(opened)]
      const job = { kind: deletionJobKind, workspaceId, payload: {}, attemptsMax: undefined }
      const [jobId = assert.fail(), otherId = assert.fail()] = await store.jobs.enqueue(
        [deletion, other].map(({ id }) => ({ ...job, key: id })),
        now(),
      )
      const node = nodeOn(opened, isPlanned ? traceStore.planSlice : away)
      await assert.rejects(step({ ...node, traceStore: { ...node.traceStore, deleteSlice: away } }, deletion))
      assert.equal((await step(nodeOn(opened), other)).waitMs, 200, 'It is retried.')
      await store.jobs.cancel(jobId, now())
      assert.equal((await step(nodeOn(opened), other)).waitMs, 200)
      const finished = await deleteAll(nodeOn(opened), other)
      const cancelled = (await store.dataDeletions.find(deletion.id))!
      assert.deepEqual(
        [cancelled.counts.traces ?? 0, finished.counts.traces ?? 0],
        isPlanned ? [2, 0] : [0, 2],
      )
      assert.deepEqual(await sumsOf(opened), noSums)
      await store.jobs.retry(jobId, now())
      assert.equal(progressOf(await deleteAll(nodeOn(opened), cancelled)).step, 'scores')
      assert.deepEqual(await sumsOf(opened), noSums)
      await store.jobs.cancel(otherId, now())
    }
  })

  test('a cancelled deletion is not resumed by the next start, however late', async () => {
    const { store, workspaceId, workspace } = await open()
    const deletion = await request({ store, workspaceId, workspace })
    const isResumed = async () => (await store.dataDeletions.running()).some(({ id }) => id === deletion.id)
    assert.equal(await isResumed(), true)
    const job = { kind: deletionJobKind, workspaceId, payload: {}, attemptsMax: undefined, key: deletion.id }
    const [jobId = assert.fail()] = await store.jobs.enqueue([job], now())
    await store.jobs.cancel(jobId, now())
    const later = new Date(Date.now() + 60_000)
    await store.jobs.deleteFinished({ doneCutoff: later, failedCutoff: later })
    assert.equal(await isResumed(), false)
    assert.equal(await store.jobs.retry(jobId, now()), true)
    assert.equal(await isResumed(), true)
    await store.jobs.cancel(jobId, now())
  })

  test('a node that has lost a deletion does not undo the progress of the next owner', async () => {
    const opened = await open()
    await record(opened, 2)
    const deletion = await request(opened)
    let latest: Deletion | undefined
    const late = nodeOn(opened, async (...input) => {
      const plan = await traceStore.planSlice(...input)
      // The lease expires here, and another node continues the deletion.
      latest = await deleteAll(nodeOn(opened), (await opened.store.dataDeletions.find(deletion.id))!)
      return plan
    })
    await assert.rejects(step(late, deletion), /another node continues it/)
    assert.deepEqual(await opened.store.dataDeletions.find(deletion.id), latest)
    assert.deepEqual(await sumsOf(opened), noSums)
  })
})
