/** Turns the exports of one segment into rows for the trace store and the list of their traces. */
import type { SpanArrival } from '@plumbline/storage/control'
import type { SpanRow } from '@plumbline/storage/traces/rows'
import type { LiveRates } from '../../monitor/judged-references.ts'
import type { AcceptedSpans } from '../../monitor/record.ts'
import type { SegmentWriters } from '../../monitor/worker/segment-writers.ts'
import { readLogRecords, readSpans } from '../receive/read-export.ts'
import type { Span } from '../span.ts'
import { type Acceptance, additionRows, type NewSpanRow, spanRow } from './stored-span.ts'
import { WholeTraces } from './whole-traces.ts'

type Arrival = { -readonly [Field in keyof SpanArrival]: SpanArrival[Field] }

/** The rows of an export's spans. */
export function toSpanRows(
  spans: readonly Span[],
  { resolved, resolvedOf }: Pick<AcceptedSpans, 'resolved' | 'resolvedOf'>,
  acceptance: Acceptance,
): NewSpanRow[] {
  const indexes = new Map(resolvedOf)
  return spans.map((span, position) => {
    const index = indexes.get(position)
    return spanRow(span, index === undefined ? undefined : resolved[index], acceptance)
  })
}

export class SegmentSpans {
  readonly #rows: SegmentWriters['spans']
  readonly #arrivals = new Map<string, Arrival>()
  /** Undefined if the assembler makes the rows of every trace. */
  readonly whole: WholeTraces | undefined

  constructor({
    makesWholeTraces,
    liveRates,
    writers,
  }: {
    readonly makesWholeTraces: boolean
    readonly liveRates: LiveRates
    readonly writers: Pick<SegmentWriters, 'spans' | 'wholeTraces'>
  }) {
    this.#rows = writers.spans
    this.whole = makesWholeTraces ? new WholeTraces(liveRates, writers.wholeTraces) : undefined
  }

  /** Adds a whole export or nothing of it; returns the number of its spans or log records. */
  append({ workspaceId, apiKeyId, receivedAtMs, ...fields }: AcceptedSpans, body: Buffer): number {
    const acceptance = { workspaceId, apiKeyId, receivedAtMs }
    return fields.signal === 'traces'
      ? this.#appendSpans(fields, body, acceptance)
      : this.#appendAdditions(fields, body, acceptance)
  }

  take(): Uint8Array {
    return this.#rows.take()
  }

  arrivals(): SpanArrival[] {
    return [...this.#arrivals.values()]
  }

  #appendSpans(
    { encoding, resolved, resolvedOf }: Pick<AcceptedSpans, 'encoding' | 'resolved' | 'resolvedOf'>,
    body: Buffer,
    acceptance: Acceptance,
  ): number {
    const { parts } = readSpans(body, encoding)
    const rows = toSpanRows(parts, { resolved, resolvedOf }, acceptance)
    this.#keep(rows)
    this.whole?.add(rows)
    parts.forEach((span) => {
      this.#arrive(span.traceId, acceptance, span.parentSpanId === null && span.endNs !== null)
    })
    return rows.length
  }

  #appendAdditions(
    { encoding }: Pick<AcceptedSpans, 'encoding'>,
    body: Buffer,
    acceptance: Acceptance,
  ): number {
    const rows = additionRows(readLogRecords(body, encoding).parts, acceptance)
    this.#keep(rows)
    this.whole?.leave(rows)
    for (const { otelTraceId } of rows) this.#arrive(otelTraceId, acceptance, false)
    return rows.length
  }

  #keep(rows: readonly SpanRow[]): void {
    this.#rows.append(rows)
  }

  #arrive(otelTraceId: string, { workspaceId, receivedAtMs }: Acceptance, isEndedRoot: boolean): void {
    const key = `${workspaceId} ${otelTraceId}`
    const arrival = this.#arrivals.get(key)
    if (arrival === undefined) {
      this.#arrivals.set(key, {
        workspaceId,
        otelTraceId,
        firstAtMs: receivedAtMs,
        lastAtMs: receivedAtMs,
        spans: 1,
        hasEndedRoot: isEndedRoot,
      })
      return
    }
    // The first export in the order of the spool decides the id, as for readers of the spool; it need not be the earliest.
    arrival.lastAtMs = Math.max(arrival.lastAtMs, receivedAtMs)
    arrival.spans += 1
    arrival.hasEndedRoot ||= isEndedRoot
  }
}
