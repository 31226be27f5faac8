// One control plane is enough: what is measured is the trace store.
/** Finding 3 of the operator: retention on a million traces of one month while others are recorded. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type ControlStore, openControlStore } from '@plumbline/storage/control'
import { engines } from '@plumbline/storage/control/testing'
import { openTraceStore, type TraceStore } from '@plumbline/storage/traces'
import {
  batchOf,
  countMutations,
  fillWithTraces,
  testLog,
  testTrace,
  testTraceId,
} from '@plumbline/storage/traces/testing'
import { hostEnvironment } from '../../../../fixtures/environment.ts'
import { makeMutex } from '../../process/mutex.ts'
import { makeSliceSize } from '../deletions/delete-slice.ts'
import { expireTraces } from './expire-traces.ts'
import { olderThan } from './rules.ts'

const traceCount = Number(hostEnvironment.PLUMBLINE_TEST_TRACES ?? 1_000_000)
const dayMs = 86_400_000
const now = new Date('2026-03-31T12:00:00Z')
const [storedDays, retentionDays] = [30, 24]
/** A batch of the drain, several times a second. */
const tracesPerInsert = 50
const insertPauseMs = 50
/** How long is recorded before retention runs, to compare. */
const undisturbedMs = 10_000

interface Recorded {
  traces: number
  readonly waitsMs: number[]
}

/** Inserts until it is stopped. */
function recordMeanwhile(traceStore: TraceStore, workspaceId: string): () => Promise<Recorded> {
  const recorded: Recorded = { traces: 0, waitsMs: [] }
  let isOver = false
  const recording = (async () => {
    while (!isOver) {
      const traces = Array.from({ length: tracesPerInsert }, () =>
        testTrace({ workspaceId, traceId: testTraceId(now.getTime()) }),
      )
      const startedAt = performance.now()
      await traceStore.insert(batchOf({ traces, logs: traces.map((trace) => testLog(trace)) }))
      recorded.waitsMs.push(performance.now() - startedAt)
      recorded.traces += traces.length
      await pause(insertPauseMs)
    }
  })()
  return async () => {
    isOver = true
    await recording
    return recorded
  }
}

/** How long the median insert waited, the one of a hundred that waited longest, and the longest of all. */
function describeWaits({ waitsMs }: Recorded): string {
  const waits = waitsMs.toSorted((first, second) => first - second)
  return `${waits.length} inserts, median ${Math.round(waits[waits.length >> 1]!)} ms, p99 ${Math.round(waits[Math.floor(waits.length * 0.99)]!)} ms, longest ${Math.round(waits.at(-1)!)} ms`
}

const expire = (control: ControlStore, traceStore: TraceStore) =>
  expireTraces(
    {
      control,
      traceStore,
      traceChanges: makeMutex(),
      sliceSize: makeSliceSize(),
      signal: new AbortController().signal,
    },
    now,
  )

it(`a fifth of ${traceCount} traces of one month expires, nothing is rewritten, and recording goes on`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const place = await engines.find(({ name }) => name === 'SQLite')!.emptyPlace()
  const control = await openControlStore(place.location)
  const traceStore = await openTraceStore({ folder })
  t.after(async () => {
    await traceStore.close()
    await control.close()
    await place.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const { id: workspaceId } = await control.createWorkspace({ name: 'Test' })
  await control.scopedTo({ workspaceId }).retention.update({ days: retentionDays })
  const from = new Date(now.getTime() - storedDays * dayMs)
  await fillWithTraces(folder, { workspaceId, count: traceCount, from, to: now })
  const expired = olderThan(workspaceId, new Date(now.getTime() - retentionDays * dayMs))
  const all = olderThan(workspaceId, new Date(now.getTime() + dayMs))
  const expiredCount = (await traceStore.countSelection(expired)).traces
  assert.equal(expiredCount, (traceCount * (storedDays - retentionDays)) / storedDays)

  const stopUndisturbed = recordMeanwhile(traceStore, workspaceId)
  await pause(undisturbedMs)
  const undisturbed = await stopUndisturbed()
  const mutationsBefore = await countMutations(folder)
  const stopRecording = recordMeanwhile(traceStore, workspaceId)
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  assert.equal(await expire(control, traceStore), undefined)
  const { user, system } = process.cpuUsage(cpu)
  const tookMs = performance.now() - startedAt
  const recorded = await stopRecording()
  t.diagnostic(
    `${expiredCount} traces expired in ${Math.round(tookMs)} ms with ${Math.round((user + system) / 1e6)} s of CPU`,
  )
  t.diagnostic(`before: ${describeWaits(undisturbed)}; meanwhile: ${describeWaits(recorded)}`)
  assert.equal((await traceStore.countSelection(expired)).traces, 0)
  const { traces, logs } = await traceStore.countSelection(all)
  assert.equal(traces, traceCount - expiredCount + undisturbed.traces + recorded.traces)
  assert.equal(logs, 2 * (traceCount - expiredCount))
  assert.equal(await countMutations(folder), mutationsBefore)
})
