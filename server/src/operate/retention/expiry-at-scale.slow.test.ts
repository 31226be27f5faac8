// One control plane is enough: this measures the trace store.
/** Operator review, finding 3: retention on a million traces of one month while others are recorded. */
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
import { type Mutex, makeMutex } from '../../process/mutex.ts'
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
/**
 * Retention alternates between running and pausing for this long, so that as many inserts run with it as without it, under
 * the same conditions.
 */
const turnMs = 2_000

interface Span {
  readonly startMs: number
  readonly endMs: number
}

interface RecordingResult {
  traces: number
  readonly inserts: Span[]
}

/** Inserts until it is stopped. */
function recordMeanwhile(traceStore: TraceStore, workspaceId: string): () => Promise<RecordingResult> {
  const recorded: RecordingResult = { traces: 0, inserts: [] }
  let isOver = false
  const recording = (async () => {
    while (!isOver) {
      const traces = Array.from({ length: tracesPerInsert }, () =>
        testTrace({ workspaceId, traceId: testTraceId(now.getTime()) }),
      )
      const startMs = performance.now()
      await traceStore.insert(batchOf({ traces, logs: traces.map((trace) => testLog(trace)) }))
      recorded.inserts.push({ startMs, endMs: performance.now() })
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

interface Waits {
  readonly inserts: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly longestMs: number
}

function summarize(inserts: readonly Span[]): Waits {
  const waitsMs = inserts
    .map(({ startMs, endMs }) => endMs - startMs)
    .toSorted((first, second) => first - second)
  return {
    inserts: waitsMs.length,
    medianMs: waitsMs[waitsMs.length >> 1]!,
    p99Ms: waitsMs[Math.floor(waitsMs.length * 0.99)]!,
    longestMs: waitsMs.at(-1)!,
  }
}

const describeWaits = ({ inserts, ...waits }: Waits): string => `${inserts} inserts, ${describeTimes(waits)}`

const describeTimes = ({ medianMs, p99Ms, longestMs }: Omit<Waits, 'inserts'>): string =>
  `median ${Math.round(medianMs)} ms, p99 ${Math.round(p99Ms)} ms, longest ${Math.round(longestMs)} ms`

/** A store that records when slices were requested and deleted. */
function timeSlices(traceStore: TraceStore): { timedStore: TraceStore; slices: Span[] } {
  const slices: Span[] = []
  const recordTime =
    <Input extends unknown[], Result>(work: (...input: Input) => Promise<Result>) =>
    async (...input: Input): Promise<Result> => {
      const startMs = performance.now()
      try {
        return await work(...input)
      } finally {
        slices.push({ startMs, endMs: performance.now() })
      }
    }
  const { nextTraces, deleteSlice } = traceStore
  return {
    timedStore: { ...traceStore, nextTraces: recordTime(nextTraces), deleteSlice: recordTime(deleteSlice) },
    slices,
  }
}

/** Lets a slice start only outside the pauses. */
function takeTurns(): Mutex {
  const { runExclusive } = makeMutex()
  const startedAt = performance.now()
  return {
    async runExclusive(work) {
      const intoTurnsMs = (performance.now() - startedAt) % (2 * turnMs)
      if (intoTurnsMs > turnMs) await pause(2 * turnMs - intoTurnsMs)
      return runExclusive(work)
    },
  }
}

const expire = (control: ControlStore, traceStore: TraceStore) =>
  expireTraces(
    {
      control,
      traceStore,
      traceChanges: takeTurns(),
      untilStored: async () => {},
      sliceSize: makeSliceSize(),
      signal: new AbortController().signal,
    },
    now,
  )

it(`a fifth of ${traceCount} traces of one month expires, nothing is rewritten, and recording continues`, async (t) => {
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

  const mutationsBefore = await countMutations(folder)
  const stopRecording = recordMeanwhile(traceStore, workspaceId)
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  const { timedStore, slices } = timeSlices(traceStore)
  assert.equal(await expire(control, timedStore), undefined)
  const { user, system } = process.cpuUsage(cpu)
  const tookMs = performance.now() - startedAt
  const recorded = await stopRecording()
  t.diagnostic(
    `${expiredCount} traces expired in ${Math.round(tookMs)} ms with ${Math.round((user + system) / 1e6)} s of CPU`,
  )
  const isBeside = ({ startMs, endMs }: Span): boolean =>
    slices.some((slice) => slice.startMs < endMs && slice.endMs > startMs)
  const during = recorded.inserts.filter(({ endMs }) => endMs <= startedAt + tookMs)
  const besideSlices = summarize(during.filter(isBeside))
  const others = summarize(during.filter((insert) => !isBeside(insert)))
  t.diagnostic(`beside a slice: ${describeWaits(besideSlices)}; without: ${describeWaits(others)}`)
  const added = {
    medianMs: besideSlices.medianMs - others.medianMs,
    p99Ms: besideSlices.p99Ms - others.p99Ms,
    longestMs: besideSlices.longestMs - others.longestMs,
  }
  t.diagnostic(`added by retention: ${describeTimes(added)}`)
  assert.equal((await traceStore.countSelection(expired)).traces, 0)
  const { traces, logs } = await traceStore.countSelection(all)
  assert.equal(traces, traceCount - expiredCount + recorded.traces)
  assert.equal(logs, 2 * (traceCount - expiredCount))
  assert.equal(await countMutations(folder), mutationsBefore)
})
