/**
 * Stores traces that arrived whole in one segment. They have the first revision, so that the views of the trace store
 * include them in the hourly sums; spans that arrive later make the assembler replace them like any other trace.
 *
 * A trace that the control store knows is left to the assembler: either it has earlier spans, or it was stored before and
 * the segment is drained again after a crash. A crash in between repeats the insert under the same token. This works only
 * with one node: with two, each could have a part of a trace that looks whole to it.
 */
import type { AssemblyStore, SpanArrival } from '@plumbline/storage/control'
import type { TraceStore } from '@plumbline/storage/traces'
import { selectRows } from '@plumbline/storage/traces/rows'
import type { Logger } from 'pino'
import { type RefusedRecords, withoutContent } from '../../monitor/refused-records.ts'
import { pauseAfter } from './assembly-timing.ts'
import type { WholeTrace, WholeTraceRows } from './whole-traces.ts'

interface WholeTraceStoreParts {
  readonly assemblyStore: Pick<AssemblyStore, 'find' | 'addWhole'>
  readonly store: Pick<TraceStore, 'insert'>
  readonly refusedRecords: RefusedRecords
  /** Counts attributes that no convention understands. */
  readonly countNotUnderstood: (counts: Readonly<Record<string, number>>) => void
  /** Called when there may be settled traces to evaluate. */
  readonly onStored: () => void
  readonly logger: Logger
  readonly now: () => Date
}

export interface WholeTraceStore {
  /** Stores the traces that are new, after their spans; returns the arrivals that remain for the assembler. */
  add(
    segmentId: string,
    rows: WholeTraceRows,
    arrivals: readonly SpanArrival[],
  ): Promise<readonly SpanArrival[]>
}

export function makeWholeTraceStore(parts: WholeTraceStoreParts): WholeTraceStore {
  const { assemblyStore, store, refusedRecords, logger, now } = parts
  return {
    async add(segmentId, rows, arrivals) {
      const otherKeys = new Set((await assemblyStore.find(rows.entries)).map(keyOf))
      const entries = rows.entries.filter((entry) => !otherKeys.has(keyOf(entry)))
      if (entries.length === 0) return arrivals
      const token = `${segmentId}-whole`
      const { rejectedRows } = await store.insert({ token, ...blocksOf(entries, rows) })
      if (rejectedRows.length > 0) {
        logger.error(
          { segment: segmentId, rows: rejectedRows.length },
          'the trace store rejected rows of traces',
        )
        await refusedRecords.keep(token, rejectedRows.map(withoutContent))
      }
      await assemblyStore.addWhole(entries.map(toAssembled), now())
      for (const { notUnderstood } of entries) parts.countNotUnderstood(notUnderstood)
      parts.onStored()
      const storedKeys = new Set(entries.map(keyOf))
      return arrivals.filter((arrival) => !storedKeys.has(keyOf(arrival)))
    },
  }
}

const toAssembled = ({ sampledTraces, ...trace }: WholeTrace) => ({
  ...trace,
  traces: [...trace.traces],
  pauseMs: pauseAfter(trace.spans),
  toJudge: sampledTraces.length === 0 ? undefined : JSON.stringify(sampledTraces),
})

/**
 * The rows of some traces, in blocks of their own. The input blocks also have rows of traces that are no longer entries
 * because more of their spans arrived after they were whole.
 */
export function blocksOf(entries: readonly WholeTrace[], wholeRows: WholeTraceRows) {
  const blockOf = (table: 'traces' | 'logs' | 'scores'): Buffer => {
    const { buffer, byteOffset, byteLength } = wholeRows[table]
    const ranges = entries.map(({ rows }) => rows[table])
    return selectRows(Buffer.from(buffer, byteOffset, byteLength), ranges)
  }
  return { traces: blockOf('traces'), logs: blockOf('logs'), scores: blockOf('scores') }
}

const keyOf = ({ workspaceId, otelTraceId }: { workspaceId: string; otelTraceId: string }): string =>
  `${workspaceId} ${otelTraceId}`
