/** Encodes spans for the trace store, which keeps them until their trace settles, and decodes them. */
import { hash } from 'node:crypto'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { SpanRow } from '@plumbline/storage/traces/rows'
import type { SpanAddition } from '../receive/read-export.ts'
import type { ReceivedSpan, ResolvedReferences, Span, SpanEvent } from '../span.ts'
import { applyUpdates, spanUpdateEvent } from './span-updates.ts'

type StoredSpan = Omit<Span, 'traceId' | 'spanId' | 'startNs' | 'endNs' | 'events'> & {
  readonly startNs: string
  readonly endNs: string | null
  readonly events: readonly StoredEvent[]
  /** Whether it contains integers that a double cannot hold. */
  readonly hasBigints?: true
}

type StoredEvent = Omit<SpanEvent, 'timeNs'> & {
  readonly timeNs: string
  readonly hasBigints?: true
  /** The position of a log record in its export. */
  readonly sequence?: number
}

export interface Acceptance {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly receivedAtMs: number
}

const nothingResolved: ResolvedReferences = {
  featureSlug: null,
  experimentId: null,
  prompt: null,
  evaluatorRates: {},
  warnings: [],
}

/** A new row together with the span that it encodes, so that nothing has to be parsed for the rows of its trace. */
export interface NewSpanRow extends SpanRow {
  readonly source: DecodedSpan
}

interface DecodedSpan {
  readonly span: Span
  readonly references: ResolvedReferences
}

export function spanRow(
  span: Span,
  resolution: ResolvedReferences | undefined,
  acceptance: Acceptance,
): NewSpanRow {
  const { traceId, spanId, parentSpanId, name, kind, startNs, endNs, events } = span
  const { attributes, links, status, resource, scope } = span
  const storedSpan: StoredSpan = {
    ...{ parentSpanId, name, kind, attributes, links, status, resource, scope },
    startNs: String(startNs),
    endNs: endNs === null ? null : String(endNs),
    events: events.map(toStoredEvent),
  }
  return {
    ...acceptance,
    otelTraceId: traceId,
    spanId,
    isEnded: endNs !== null,
    addition: '',
    resolved: resolution === undefined ? '' : JSON.stringify(resolution),
    span: stringify(storedSpan),
    source: { span, references: resolution ?? nothingResolved },
  }
}

/**
 * The rows of an export's log records. Clocks with milliseconds give the same time to repeated records of a conversation,
 * such as two identical replies of a user, so identical records of one export are distinguished by their occurrence.
 */
export function additionRows(additions: readonly SpanAddition[], acceptance: Acceptance): SpanRow[] {
  const counts = new Map<string, number>()
  return additions.map((each) => {
    const row = additionRow(each, acceptance)
    const key = `${row.otelTraceId} ${row.spanId} ${row.addition}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count === 0 ? row : { ...row, addition: digestOf(`${row.addition} ${count}`) }
  })
}

function additionRow({ traceId, spanId, event, sequence }: SpanAddition, acceptance: Acceptance): SpanRow {
  const storedEvent = toStoredEvent(event)
  return {
    ...acceptance,
    otelTraceId: traceId,
    spanId,
    isEnded: false,
    // Without the sequence: when a record is exported again, its position may differ.
    addition: digestOf(stringify(storedEvent)),
    resolved: '',
    span: stringify({ ...storedEvent, sequence }),
  }
}

/** Enough to distinguish the events of one span. */
const additionDigits = 16

const digestOf = (text: string): string => hash('sha256', text).slice(0, additionDigits)

const toStoredEvent = ({ timeNs, ...event }: SpanEvent): StoredEvent => ({ ...event, timeNs: String(timeNs) })

/** Safe: Node has it since version 22; the types of TypeScript lack it. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

function stringify(item: StoredSpan | StoredEvent): string {
  try {
    return JSON.stringify(item)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify({ ...item, hasBigints: true }, (_key, value: unknown) => {
      if (typeof value === 'bigint') return rawJSON(String(value))
      // A large double is written with an exponent, which distinguishes it from a bigint.
      const isLargeDouble = Number.isInteger(value) && !Number.isSafeInteger(value)
      return isLargeDouble ? rawJSON((value as number).toExponential()) : value
    })
  }
}

type Revive = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const reviveBigints: Revive = (_key, value, { source = '' }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value

function parseStored<Of extends StoredSpan | StoredEvent>(text: string): Of {
  // Safe: only `textOf` writes these.
  const storedSpan = parseJsonText(text) as Of
  return storedSpan.hasBigints === true
    ? (JSON.parse(text, reviveBigints as Parameters<typeof JSON.parse>[1]) as Of)
    : storedSpan
}

/** The distinct spans of one OpenTelemetry trace, and their digest, which repeated spans do not change. */
export interface TraceSpans {
  readonly spans: readonly ReceivedSpan[]
  readonly digest: string
}

interface Line extends Omit<SpanRow, 'workspaceId' | 'otelTraceId' | 'isEnded'> {
  readonly source?: DecodedSpan
}

/** Keeps the last of repeated spans, except that an ended span takes precedence over a running one. */
export function spansOfRows(otelTraceId: string, lines: readonly Line[]): TraceSpans {
  const latest = new Map<string, DecodedSpan & { readonly line: Line }>()
  const additions = new Map<string, Map<string, StoredEvent>>()
  const partial = new Map<string, Line>()
  for (const line of lines) {
    if (line.addition !== '') {
      const ofSpan = additions.get(line.spanId) ?? new Map<string, StoredEvent>()
      const addition = parseStored<StoredEvent>(line.span)
      additions.set(line.spanId, ofSpan.set(line.addition, addition))
      if (addition.name === spanUpdateEvent && !partial.has(line.spanId)) partial.set(line.spanId, line)
      continue
    }
    const { span, references } = line.source ?? decode(otelTraceId, line)
    const earlier = latest.get(line.spanId)
    if (earlier === undefined || isNewer(line, span, earlier))
      latest.set(line.spanId, { line, span, references })
  }
  // Spans of which only parts have arrived.
  for (const [spanId, partialLine] of partial) {
    if (latest.has(spanId)) continue
    const line = { ...partialLine, resolved: '', span: '' }
    latest.set(spanId, {
      line,
      span: toSpan(otelTraceId, spanId, emptySpan),
      references: nothingResolved,
    })
  }
  const texts: string[] = []
  const spans: ReceivedSpan[] = []
  for (const { line, span, references } of latest.values()) {
    const { spanId, apiKeyId, receivedAtMs } = line
    const added = additions.get(spanId)
    texts.push(spanId, line.span, line.resolved, ...(added?.keys() ?? []))
    const events = inOrder(span.events, added === undefined ? [] : [...added.values()])
    spans.push({ ...span, events, apiKeyId, receivedAtMs, references })
  }
  return { spans: applyUpdates(spans), digest: hash('sha256', texts.join('\n')) }
}

const emptySpan: StoredSpan = {
  parentSpanId: null,
  name: '',
  kind: 0,
  startNs: '0',
  endNs: null,
  attributes: {},
  events: [],
  links: [],
  status: { code: 0, message: '' },
  resource: {},
  scope: { name: '', version: '', attributes: {} },
}

function isNewer(
  line: Line,
  { endNs }: Span,
  earlier: { readonly line: Line; readonly span: Span },
): boolean {
  if ((endNs === null) !== (earlier.span.endNs === null)) return endNs !== null
  return line.receivedAtMs >= earlier.line.receivedAtMs
}

const decode = (traceId: string, { spanId, span, resolved }: Line): DecodedSpan => ({
  span: toSpan(traceId, spanId, parseStored<StoredSpan>(span)),
  // Safe: `spanRow` wrote it.
  references: resolved === '' ? nothingResolved : (JSON.parse(resolved) as ResolvedReferences),
})

const toSpan = (
  traceId: string,
  spanId: string,
  { hasBigints: _, startNs, endNs, events, ...span }: StoredSpan,
): Span => ({
  ...span,
  traceId,
  spanId,
  startNs: BigInt(startNs),
  endNs: endNs === null ? null : BigInt(endNs),
  events: events.map(toEvent),
})

const toEvent = ({ name, timeNs, attributes }: StoredEvent): SpanEvent => ({
  name,
  timeNs: BigInt(timeNs),
  attributes,
})

/** The events and log records of a span by time, then by position in the export. */
function inOrder(events: readonly SpanEvent[], newEvents: readonly StoredEvent[]): readonly SpanEvent[] {
  if (events.length < 2 && newEvents.length === 0) return events
  const bySequence = newEvents.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
  return [...events, ...bySequence.map(toEvent)].sort((a, b) =>
    a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0,
  )
}
