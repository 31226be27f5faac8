/**
 * Builds the rows of traces that came whole in one segment of the spool: the root has ended, and no parent is missing.
 * They are stored at once, like traces sent over REST; the others wait for the assembler, which reads their spans back
 * from the trace store. Runs in the recording worker.
 */
import type { AssembledTrace } from '@plumbline/storage/control'
import type { SpanRow } from '@plumbline/storage/traces/rows'
import {
  encodeAssembledLogRow,
  encodeAssembledTraceRow,
  encodeScoreRow,
} from '@plumbline/storage/traces/rows'
import { judgedReferences, type LiveRates, type SampledTrace } from '../../monitor/judged-references.ts'
import { LineBuffer } from '../../monitor/worker/line-buffer.ts'
import type { RowContext } from '../../monitor/worker/make-log-row.ts'
import { makeSpanRows } from '../make-span-rows.ts'
import type { Span } from '../span.ts'
import { traceIdOf } from '../trace-id.ts'
import { spansOfRows } from './stored-span.ts'

/** From which byte to which. */
type Range = readonly [start: number, end: number]

/** One OpenTelemetry trace, with its lines in the buffers. */
export interface WholeTrace {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
  readonly lastAtMs: number
  readonly spans: number
  /** As the assembler computes it, so that a repeated export changes nothing. */
  readonly digest: string
  readonly traces: readonly AssembledTrace[]
  readonly sampled: readonly SampledTrace[]
  readonly notUnderstood: Readonly<Record<string, number>>
  readonly lines: { readonly traces: Range; readonly logs: Range; readonly scores: Range }
}

export interface WholeTraceRows {
  readonly traces: Uint8Array
  readonly logs: Uint8Array
  readonly scores: Uint8Array
  readonly entries: readonly WholeTrace[]
}

/** What the segment has of one OpenTelemetry trace so far. */
interface Gathered {
  readonly workspaceId: string
  readonly otelTraceId: string
  readonly firstAtMs: number
  lastAtMs: number
  /** Empty once the rows were made, or when the trace is left to the assembler. */
  rows: SpanRow[]
  readonly spanIds: Set<string>
  readonly parentIds: Set<string>
  hasEndedRoot: boolean
  isLeft: boolean
  made: WholeTrace | undefined
}

/** The revision of rows that nothing has replaced; the views of the hourly sums count them. */
const firstRevision = 0
/** Small, since most segments hold no spans. */
const expectedBytes = 1024

export class WholeTraces {
  readonly #liveRates: LiveRates
  readonly #gathered = new Map<string, Gathered>()
  /** Whole, without rows yet. */
  readonly #ready = new Set<Gathered>()
  readonly #traces = new LineBuffer(expectedBytes)
  readonly #logs = new LineBuffer(expectedBytes)
  readonly #scores = new LineBuffer(expectedBytes)

  constructor(liveRates: LiveRates) {
    this.#liveRates = liveRates
  }

  /** Adds the spans of an export. */
  add(spans: readonly Span[], rows: readonly SpanRow[]): void {
    const traces = new Set<Gathered>()
    rows.forEach((row, position) => {
      const { spanId, parentSpanId, endNs } = spans[position]!
      const trace = this.#of(row)
      trace.lastAtMs = Math.max(trace.lastAtMs, row.receivedAtMs)
      if (trace.made !== undefined) this.#leave(trace)
      if (trace.isLeft) return
      trace.rows.push(row)
      trace.spanIds.add(spanId)
      if (parentSpanId !== null) trace.parentIds.add(parentSpanId)
      else if (endNs !== null) trace.hasEndedRoot = true
      traces.add(trace)
    })
    for (const trace of traces) if (isWhole(trace)) this.#ready.add(trace)
  }

  /** Leaves the traces of log records to the assembler: those are events of spans, and may come before them. */
  leave(rows: readonly SpanRow[]): void {
    for (const row of rows) this.#leave(this.#of(row))
  }

  /** Builds the rows of the traces that have become whole; one that fails is left to the assembler, which tells why. */
  makeRows(rowContextOf: (workspaceId: string) => RowContext): void {
    for (const trace of this.#ready) {
      try {
        trace.made = this.#append(trace, rowContextOf(trace.workspaceId))
        release(trace)
      } catch {
        this.#leave(trace)
      }
    }
    this.#ready.clear()
  }

  /** Whether `makeRows` has something to do. */
  get isReady(): boolean {
    return this.#ready.size > 0
  }

  take(): WholeTraceRows {
    const entries = [...this.#gathered.values()].flatMap(({ made, lastAtMs }) =>
      made === undefined ? [] : { ...made, lastAtMs },
    )
    return {
      traces: this.#traces.take(),
      logs: this.#logs.take(),
      scores: this.#scores.take(),
      entries,
    }
  }

  #append(trace: Gathered, rowContext: RowContext): WholeTrace {
    const { workspaceId, otelTraceId, firstAtMs, lastAtMs } = trace
    const { spans, digest } = spansOfRows(otelTraceId, trace.rows.toSorted(inOrderOfStore))
    const made = makeSpanRows(
      spans,
      { workspaceId, traceIdOf: (root) => traceIdOf({ workspaceId, otelTraceId, firstAtMs }, root) },
      rowContext,
    )
    // Without a trace there is nothing to keep up to date.
    if (made.traces.length === 0) throw new Error('The spans are bookkeeping.')
    const assembled = { revision: firstRevision, otelTraceId }
    const logLines = made.traces.flatMap(({ logs }) =>
      logs.map((log) => encodeAssembledLogRow(log, assembled)),
    )
    const traceLines = made.traces.map((each) => encodeAssembledTraceRow(each.trace, assembled))
    const scoreLines = made.scores.map(encodeScoreRow)
    return {
      workspaceId,
      otelTraceId,
      firstAtMs,
      lastAtMs,
      spans: spans.length,
      digest,
      traces: made.traces.map(({ trace: { traceId, startUs } }) => ({ traceId, startUs })),
      sampled: made.traces.flatMap((each) =>
        judgedReferences(each, { isGrowing: true, liveRates: this.#liveRates }),
      ),
      notUnderstood: made.notUnderstood,
      lines: {
        traces: appendAll(this.#traces, traceLines),
        logs: appendAll(this.#logs, logLines),
        scores: appendAll(this.#scores, scoreLines),
      },
    }
  }

  #of({ workspaceId, otelTraceId, receivedAtMs }: SpanRow): Gathered {
    const key = `${workspaceId} ${otelTraceId}`
    const earlier = this.#gathered.get(key)
    if (earlier !== undefined) return earlier
    const trace: Gathered = {
      workspaceId,
      otelTraceId,
      firstAtMs: receivedAtMs,
      lastAtMs: receivedAtMs,
      rows: [],
      spanIds: new Set(),
      parentIds: new Set(),
      hasEndedRoot: false,
      isLeft: false,
      made: undefined,
    }
    this.#gathered.set(key, trace)
    return trace
  }

  #leave(trace: Gathered): void {
    trace.isLeft = true
    this.#ready.delete(trace)
    trace.made = undefined
    release(trace)
  }
}

/** Nothing of the spans outlives their rows, so that the garbage collector need not copy it. */
function release(trace: Gathered): void {
  trace.rows = []
  trace.spanIds.clear()
  trace.parentIds.clear()
}

function isWhole({ hasEndedRoot, spanIds, parentIds }: Gathered): boolean {
  if (!hasEndedRoot) return false
  for (const parentId of parentIds) if (!spanIds.has(parentId)) return false
  return true
}

/** The order in which the trace store returns the spans of a trace. */
const inOrderOfStore = (a: SpanRow, b: SpanRow): number =>
  a.spanId === b.spanId ? a.receivedAtMs - b.receivedAtMs : a.spanId < b.spanId ? -1 : 1

function appendAll(buffer: LineBuffer, lines: readonly string[]): Range {
  const start = buffer.length
  for (const line of lines) buffer.append(line)
  return [start, buffer.length]
}
