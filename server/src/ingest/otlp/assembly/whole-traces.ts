/**
 * Builds the rows of traces that arrived whole in one segment of the spool: the root has ended, and no parent is missing.
 * They are stored at once, like traces sent over REST; the others wait for the assembler, which reads their spans back
 * from the trace store. Runs in the recording worker.
 */
import type { AssembledTrace } from '@plumbline/storage/control'
import type { SpanRow, TraceBlocks } from '@plumbline/storage/traces/rows'
import { judgedReferences, type LiveRates, type SampledTrace } from '../../monitor/judged-references.ts'
import type { RowContext } from '../../monitor/worker/make-log-row.ts'
import { makeSpanRows } from '../make-span-rows.ts'
import { traceIdOf } from '../trace-id.ts'
import { type NewSpanRow, spansOfRows } from './stored-span.ts'

/** The first row, and the row after the last. */
type Range = readonly [start: number, end: number]

/** One OpenTelemetry trace, with its rows in the blocks. */
export interface WholeTrace {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
  readonly lastAtMs: number
  readonly spans: number
  /** Computed as in the assembler, so that a repeated export changes nothing. */
  readonly digest: string
  readonly traces: readonly AssembledTrace[]
  readonly sampledTraces: readonly SampledTrace[]
  readonly notUnderstood: Readonly<Record<string, number>>
  readonly rows: { readonly traces: Range; readonly logs: Range; readonly scores: Range }
}

export interface WholeTraceRows {
  readonly traces: Uint8Array
  readonly logs: Uint8Array
  readonly scores: Uint8Array
  readonly entries: readonly WholeTrace[]
}

/** The part of one OpenTelemetry trace that the segment has so far. */
interface SegmentTrace {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
  lastAtMs: number
  /** Empty after the rows were made, or if the trace is left to the assembler. */
  rows: NewSpanRow[]
  readonly spanIds: Set<string>
  readonly parentIds: Set<string>
  hasEndedRoot: boolean
  isLeft: boolean
  wholeTrace: WholeTrace | undefined
}

/** The revision of rows that have never been replaced; the views of the hourly sums count them. */
const firstRevision = 0

export class WholeTraces {
  readonly #liveRates: LiveRates
  readonly #gathered = new Map<string, SegmentTrace>()
  /** Whole traces whose rows are not made yet. */
  readonly #ready = new Set<SegmentTrace>()
  readonly #blocks: TraceBlocks

  constructor(liveRates: LiveRates, blocks: TraceBlocks) {
    this.#liveRates = liveRates
    this.#blocks = blocks
  }

  /** Adds the spans of an export. */
  add(rows: readonly NewSpanRow[]): void {
    const traces = new Set<SegmentTrace>()
    for (const row of rows) {
      const { spanId, parentSpanId, endNs } = row.source.span
      const trace = this.#of(row)
      trace.lastAtMs = Math.max(trace.lastAtMs, row.receivedAtMs)
      if (trace.wholeTrace !== undefined) this.#leave(trace)
      if (trace.isLeft) continue
      trace.rows.push(row)
      trace.spanIds.add(spanId)
      if (parentSpanId !== null) trace.parentIds.add(parentSpanId)
      else if (endNs !== null) trace.hasEndedRoot = true
      traces.add(trace)
    }
    for (const trace of traces) if (isWhole(trace)) this.#ready.add(trace)
  }

  /** Leaves the traces of log records to the assembler: log records become events of spans, and may arrive before them. */
  leave(rows: readonly SpanRow[]): void {
    for (const row of rows) this.#leave(this.#of(row))
  }

  /** Builds the rows of the traces that have become whole. If one fails it is left to the assembler, which logs the reason. */
  makeRows(rowContextOf: (workspaceId: string) => RowContext): void {
    for (const trace of this.#ready) {
      try {
        trace.wholeTrace = this.#append(trace, rowContextOf(trace.workspaceId))
        release(trace)
      } catch {
        this.#leave(trace)
      }
    }
    this.#ready.clear()
  }

  /** Whether `makeRows` has work to do. */
  get isReady(): boolean {
    return this.#ready.size > 0
  }

  take(): WholeTraceRows {
    const entries = [...this.#gathered.values()].flatMap(({ wholeTrace, lastAtMs }) =>
      wholeTrace === undefined ? [] : { ...wholeTrace, lastAtMs },
    )
    return { ...this.#blocks.take(), entries }
  }

  #append(trace: SegmentTrace, rowContext: RowContext): WholeTrace {
    const { workspaceId, otelTraceId, firstAtMs, lastAtMs } = trace
    const { spans, digest } = spansOfRows(otelTraceId, trace.rows.toSorted(inOrderOfStore))
    const spanRows = makeSpanRows(
      spans,
      { workspaceId, traceIdOf: (root) => traceIdOf({ workspaceId, otelTraceId, firstAtMs }, root) },
      rowContext,
    )
    // Without a trace there are no rows to keep up to date.
    if (spanRows.traces.length === 0) throw new Error('The spans are bookkeeping.')
    const start = this.#blocks.rows
    this.#blocks.append(spanRows, { revision: firstRevision, otelTraceId })
    const end = this.#blocks.rows
    return {
      workspaceId,
      otelTraceId,
      firstAtMs,
      lastAtMs,
      spans: spans.length,
      digest,
      traces: spanRows.traces.map(({ trace: { traceId, startUs } }) => ({ traceId, startUs })),
      sampledTraces: spanRows.traces.flatMap((each) =>
        judgedReferences(each, { isGrowing: true, liveRates: this.#liveRates }),
      ),
      notUnderstood: spanRows.notUnderstood,
      rows: {
        traces: [start.traces, end.traces],
        logs: [start.logs, end.logs],
        scores: [start.scores, end.scores],
      },
    }
  }

  #of({ workspaceId, otelTraceId, receivedAtMs }: SpanRow): SegmentTrace {
    const key = `${workspaceId} ${otelTraceId}`
    const earlier = this.#gathered.get(key)
    if (earlier !== undefined) return earlier
    const trace: SegmentTrace = {
      workspaceId,
      otelTraceId,
      firstAtMs: receivedAtMs,
      lastAtMs: receivedAtMs,
      rows: [],
      spanIds: new Set(),
      parentIds: new Set(),
      hasEndedRoot: false,
      isLeft: false,
      wholeTrace: undefined,
    }
    this.#gathered.set(key, trace)
    return trace
  }

  #leave(trace: SegmentTrace): void {
    trace.isLeft = true
    this.#ready.delete(trace)
    trace.wholeTrace = undefined
    release(trace)
  }
}

/** Releases the spans once their rows are made, so that the garbage collector need not copy them. */
function release(trace: SegmentTrace): void {
  trace.rows = []
  trace.spanIds.clear()
  trace.parentIds.clear()
}

function isWhole({ hasEndedRoot, spanIds, parentIds }: SegmentTrace): boolean {
  if (!hasEndedRoot) return false
  for (const parentId of parentIds) if (!spanIds.has(parentId)) return false
  return true
}

/** The order in which the trace store returns the spans of a trace. */
const inOrderOfStore = (a: SpanRow, b: SpanRow): number =>
  a.spanId === b.spanId ? a.receivedAtMs - b.receivedAtMs : a.spanId < b.spanId ? -1 : 1
