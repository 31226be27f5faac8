/** Spans as the trace store keeps them until nothing more is expected of their trace, and back. */
import { hash } from 'node:crypto'
import type { SpanRow } from '@plumbline/storage/traces/rows'
import type { SpanAddition } from './read-export.ts'
import type { ReceivedSpan, Resolved, Span, SpanEvent } from './span.ts'

type Kept = Omit<Span, 'traceId' | 'spanId' | 'startNs' | 'endNs' | 'events'> & {
  readonly startNs: string
  readonly endNs: string | null
  readonly events: readonly KeptEvent[]
  /** Whether there are integers in it that a double cannot hold. */
  readonly hasBigints?: true
}

type KeptEvent = Omit<SpanEvent, 'timeNs'> & { readonly timeNs: string; readonly hasBigints?: true }

export interface Acceptance {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly receivedAtMs: number
}

const nothingResolved: Resolved = {
  featureSlug: null,
  experimentId: null,
  prompt: null,
  evaluatorRates: {},
  warnings: [],
}

export function spanRow(
  { traceId, spanId, startNs, endNs, events, ...span }: Span,
  resolved: Resolved | undefined,
  acceptance: Acceptance,
): SpanRow {
  const kept: Kept = {
    ...span,
    startNs: String(startNs),
    endNs: endNs === null ? null : String(endNs),
    events: events.map(keptEvent),
  }
  return {
    ...acceptance,
    otelTraceId: traceId,
    spanId,
    isEnded: endNs !== null,
    addition: '',
    resolved: resolved === undefined ? '' : JSON.stringify(resolved),
    span: textOf(kept),
  }
}

export function additionRow({ traceId, spanId, event }: SpanAddition, acceptance: Acceptance): SpanRow {
  const span = textOf(keptEvent(event))
  return {
    ...acceptance,
    otelTraceId: traceId,
    spanId,
    isEnded: false,
    addition: hash('sha256', span).slice(0, additionDigits),
    resolved: '',
    span,
  }
}

/** Enough to tell the events of one span apart. */
const additionDigits = 16

const keptEvent = ({ timeNs, ...event }: SpanEvent): KeptEvent => ({ ...event, timeNs: String(timeNs) })

/** Safe: Node has had it since version 22, and TypeScript does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

function textOf(kept: Kept | KeptEvent): string {
  try {
    return JSON.stringify(kept)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify({ ...kept, hasBigints: true }, (_key, value: unknown) =>
      typeof value === 'bigint' ? rawJSON(String(value)) : value,
    )
  }
}

type Revive = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const reviveBigints: Revive = (_key, value, { source = '' }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value

function read<Of extends Kept | KeptEvent>(text: string): Of {
  // Safe: only `textOf` writes these.
  const kept = JSON.parse(text) as Of
  return kept.hasBigints === true
    ? (JSON.parse(text, reviveBigints as Parameters<typeof JSON.parse>[1]) as Of)
    : kept
}

/** The spans of one OpenTelemetry trace, each once, and a digest of them that no repetition moves. */
export interface TraceSpans {
  readonly spans: readonly ReceivedSpan[]
  readonly digest: string
}

interface Line extends Omit<SpanRow, 'workspaceId' | 'otelTraceId' | 'isEnded'> {}

/** Of a span that came twice the last is kept, but for one that says that it is still running after one that has ended. */
export function spansOfLines(otelTraceId: string, lines: readonly Line[]): TraceSpans {
  const latest = new Map<string, { line: Line; kept: Kept }>()
  const additions = new Map<string, Map<string, KeptEvent>>()
  for (const line of lines) {
    if (line.addition !== '') {
      const ofSpan = additions.get(line.spanId) ?? new Map<string, KeptEvent>()
      additions.set(line.spanId, ofSpan.set(line.addition, read<KeptEvent>(line.span)))
      continue
    }
    const kept = read<Kept>(line.span)
    const earlier = latest.get(line.spanId)
    if (earlier === undefined || isNewer(line, kept, earlier)) latest.set(line.spanId, { line, kept })
  }
  const texts: string[] = []
  const spans = [...latest.values()].map(({ line, kept }) => {
    const added = additions.get(line.spanId)
    texts.push(line.spanId, line.span, line.resolved, ...(added?.keys() ?? []))
    return received(otelTraceId, line, kept, [...(added?.values() ?? [])])
  })
  return { spans, digest: hash('sha256', texts.join('\n')) }
}

function isNewer(line: Line, kept: Kept, earlier: { line: Line; kept: Kept }): boolean {
  if ((kept.endNs === null) !== (earlier.kept.endNs === null)) return kept.endNs !== null
  return line.receivedAtMs >= earlier.line.receivedAtMs
}

function received(
  traceId: string,
  { spanId, apiKeyId, receivedAtMs, resolved }: Line,
  { hasBigints: _, startNs, endNs, events, ...span }: Kept,
  added: readonly KeptEvent[],
): ReceivedSpan {
  return {
    ...span,
    traceId,
    spanId,
    startNs: BigInt(startNs),
    endNs: endNs === null ? null : BigInt(endNs),
    events: [...events, ...added].map(({ name, timeNs, attributes }) => ({
      name,
      timeNs: BigInt(timeNs),
      attributes,
    })),
    apiKeyId,
    receivedAtMs,
    // Safe: `spanRow` wrote it.
    resolved: resolved === '' ? nothingResolved : (JSON.parse(resolved) as Resolved),
  }
}
