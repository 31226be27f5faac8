/** The rows of segments, which the worker makes while the trace store takes those of the segment before. */
import type { Segment, Spool } from '@plumbline/storage/spool'
import { isLittleMemory } from '@plumbline/storage/traces'
import { makeMutex } from '../../process/mutex.ts'
import type { LiveRates } from './judged-references.ts'
import { type RecordingWorker, WorkerDied } from './worker/recording-worker.ts'
import type { Overrides, SegmentRows } from './worker/worker-messages.ts'

export interface SegmentRowsParts {
  readonly spool: Spool
  readonly worker: RecordingWorker
  readonly overrides: () => Promise<Overrides>
  readonly liveRates: () => Promise<LiveRates>
  /** Whether rows of OpenTelemetry traces that came whole are made with those of the segment. */
  readonly makesWholeTraces: boolean
}

/** What rows depend on besides the segment. */
export interface RowConditions {
  /** Records of other workspaces are dropped. */
  readonly workspaceIds: readonly string[]
  readonly listsRecords: boolean
}

export interface SegmentRowsSource {
  /** The rows of a segment; made anew where the conditions differ from those that it was announced with. */
  take(segment: Segment, conditions: RowConditions): Promise<SegmentRows>
  /** Has the rows made of the segment that is likely to be taken next. They are kept in memory until then. */
  announce(segment: Segment, conditions: RowConditions): void
}

export function makeSegmentRows(parts: SegmentRowsParts): SegmentRowsSource {
  let next: { readonly key: string; readonly rows: Promise<SegmentRows> } | undefined
  /** Of two segments at once, nobody could tell which one a worker has died of. */
  const { runExclusive } = makeMutex()
  const make = (segment: Segment, conditions: RowConditions): Promise<SegmentRows> =>
    runExclusive(() => makeRows(segment, conditions, parts))

  return {
    async take(segment, conditions) {
      if (next?.key !== keyOf(segment, conditions)) return make(segment, conditions)
      const { rows } = next
      next = undefined
      return rows.catch(() => make(segment, conditions))
    },
    announce(segment, conditions) {
      const key = keyOf(segment, conditions)
      // Two batches at once are too many where there is little memory.
      if (next?.key === key || isLittleMemory()) return
      const rows = make(segment, conditions)
      // What fails is tried again when it is taken.
      rows.catch(() => {})
      next = { key, rows }
    },
  }
}

/** A segment of which a part was removed is smaller. */
const keyOf = ({ id, bytes }: Segment, conditions: RowConditions): string =>
  JSON.stringify([id, bytes, conditions])

/**
 * Builds the rows in the worker; skips a record that killed the worker on the next attempt. A worker that died outside
 * a record may have died of a trace, which the assembler isolates.
 */
async function makeRows(
  segment: Segment,
  { workspaceIds, listsRecords }: RowConditions,
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
      })
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error
      if (error.position !== undefined && !skip.includes(error.position)) skip.push(error.position)
      else if (error.position === undefined && makesWholeTraces) makesWholeTraces = false
      else throw error
    }
  }
}
