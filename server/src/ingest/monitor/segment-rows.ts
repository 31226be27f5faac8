/** The rows of segments. The worker makes them ahead, while the trace store takes those of the segment before. */
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Segment, Spool } from '@plumbline/storage/spool'
import { isLittleMemory } from '@plumbline/storage/traces'
import { makeMutex } from '../../process/mutex.ts'
import type { LiveRates } from './judged-references.ts'
import {
  type RecordingThread,
  type RecordingWorker,
  recordingThreads,
  WorkerDied,
} from './worker/recording-worker.ts'
import type { Overrides, SegmentRows } from './worker/worker-messages.ts'

export interface SegmentRowsParts {
  readonly spool: Spool
  readonly worker: RecordingWorker
  readonly overrides: () => Promise<Overrides>
  readonly liveRates: () => Promise<LiveRates>
  /** Whether rows of OpenTelemetry traces that arrived whole are made with those of the segment. */
  readonly makesWholeTraces: boolean
  /** Between 0 and 1: how busy the thread that handles requests was since the last call. */
  readonly busyShare?: () => number
}

/** What the rows depend on besides the segment. */
export interface RowConditions {
  /** Records of other workspaces are dropped. */
  readonly workspaceIds: readonly string[]
  readonly listsRecords: boolean
}

export interface SegmentRowsSource {
  /** The rows of a segment; made again if the conditions have changed since it was announced. */
  take(segment: Segment, conditions: RowConditions): Promise<SegmentRows>
  /**
   * Starts making the rows of the segments that are likely to be taken next: of the first two, or fewer, each in a thread
   * of its own. The rows stay in memory until they are taken. While the thread that handles requests is busy, only one is
   * made ahead: two threads and the trace store would occupy the cores that responses need.
   */
  announce(segments: readonly Segment[], conditions: RowConditions): void
}

export function makeSegmentRows(parts: SegmentRowsParts): SegmentRowsSource {
  const { busyShare = measureBusyShare() } = parts
  let announced = new Map<string, Promise<SegmentRows>>()
  const threads = recordingThreads.map((thread) => ({ thread, ...makeMutex(), segments: 0 }))
  const make = async (segment: Segment, conditions: RowConditions): Promise<SegmentRows> => {
    const least = Math.min(...threads.map(({ segments }) => segments))
    const free = threads.find(({ segments }) => segments === least)!
    free.segments++
    try {
      // One segment per thread at a time, or it would be unclear which of them killed the thread.
      return await free.runExclusive(() => makeRows(segment, conditions, free.thread, parts))
    } finally {
      free.segments--
    }
  }

  return {
    async take(segment, conditions) {
      const key = keyOf(segment, conditions)
      const rows = announced.get(key)
      announced.delete(key)
      if (rows === undefined) return make(segment, conditions)
      return rows.catch(() => make(segment, conditions))
    },
    announce(segments, conditions) {
      const ahead = busyShare() > busyShareMax ? 1 : aheadMax
      // Where memory is scarce, two batches at once are too many.
      const next = isLittleMemory() ? [] : segments.slice(0, ahead)
      const earlier = announced
      announced = new Map()
      for (const segment of next) {
        const key = keyOf(segment, conditions)
        const rows = earlier.get(key) ?? make(segment, conditions)
        // A failure here is ignored: the rows are made again when they are taken.
        rows.catch(() => {})
        announced.set(key, rows)
      }
    },
  }
}

/** While one segment is stored, each thread makes the rows of another. */
const aheadMax = Math.min(recordingThreads.length, availableParallelism())
const busyShareMax = 0.5

function measureBusyShare(): () => number {
  let before = performance.eventLoopUtilization()
  return () => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    return utilization
  }
}

/** The size tells a segment from what is left of it after a part was removed. PostgreSQL does not keep the order of ids. */
const keyOf = ({ id, bytes }: Segment, { workspaceIds, listsRecords }: RowConditions): string =>
  JSON.stringify([id, bytes, workspaceIds.toSorted(), listsRecords])

/**
 * Builds the rows in the worker. A record that killed the worker is skipped on the next attempt. A worker that died
 * outside a record may have died of a trace, which the assembler isolates.
 */
async function makeRows(
  segment: Segment,
  { workspaceIds, listsRecords }: RowConditions,
  thread: RecordingThread,
  { spool, worker, overrides, liveRates, ...parts }: SegmentRowsParts,
): Promise<SegmentRows> {
  const skip: number[] = []
  let { makesWholeTraces } = parts
  for (;;) {
    try {
      return await worker.rowsOfSegment(await spool.source(segment), await overrides(), {
        skip,
        workspaceIds,
        makesWholeTraces,
        liveRates: await liveRates(),
        listsRecords,
        thread,
      })
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error
      if (error.position !== undefined && !skip.includes(error.position)) skip.push(error.position)
      else if (error.position === undefined && makesWholeTraces) makesWholeTraces = false
      else throw error
    }
  }
}
