/**
 * Spans that arrive in parts. Langfuse's older clients send the creation of an observation and each of its changes as
 * separate events, in any batch. Each is stored as an addition to the span, like a log record of it, and here they are
 * merged into one span. Everything received of a trace is readable at any time, and a repeated event changes nothing.
 */
import type { Attributes, AttributeValue, ReceivedSpan, SpanEvent } from '../span.ts'

/** The name of events that carry parts of a span. */
export const spanUpdateEvent = 'langfuse.ingestion'

/** Fields of a part that are not attributes of the span. */
export const updateFields = {
  name: 'langfuse.ingestion.name',
  parent: 'langfuse.ingestion.parent',
  /** Nanoseconds since 1970, as text. */
  start: 'langfuse.ingestion.start',
  end: 'langfuse.ingestion.end',
  /** The span that stands for the trace: it lasts as long as the spans below it. */
  isTrace: 'langfuse.ingestion.trace',
} as const

const fieldNames = new Set<string>(Object.values(updateFields))

/** The spans with their parts applied; spans without parts are unchanged. */
export function applyUpdates(spans: readonly ReceivedSpan[]): readonly ReceivedSpan[] {
  if (!spans.some(hasUpdates)) return spans
  const applied = spans.map((span) => (hasUpdates(span) ? applyOwn(span) : { span, isTrace: false }))
  const endNs = lastMoment(applied.flatMap(({ span, isTrace }) => (isTrace ? [] : [span])))
  return applied.map(({ span, isTrace }) =>
    isTrace ? { ...span, endNs: endNs === undefined || endNs < span.startNs ? span.startNs : endNs } : span,
  )
}

const hasUpdates = ({ events }: ReceivedSpan): boolean => events.some(({ name }) => name === spanUpdateEvent)

/** Later parts override earlier ones. The start is the one that a part states, else the time of the first part. */
function applyOwn(span: ReceivedSpan): { span: ReceivedSpan; isTrace: boolean } {
  const updates = span.events.filter(({ name }) => name === spanUpdateEvent)
  const merged = Object.assign({}, ...updates.map(({ attributes }) => attributes)) as Record<
    string,
    AttributeValue
  >
  const isTrace = merged[updateFields.isTrace] === true
  const starts = updates.flatMap(({ attributes }) => nanoseconds(attributes[updateFields.start]) ?? [])
  const times = updates.map(({ timeNs }) => timeNs).filter((time) => time > 0n)
  const start = isTrace ? least([...starts, ...times]) : (starts.at(-1) ?? least(times))
  return {
    isTrace,
    span: {
      ...span,
      name: textOf(merged[updateFields.name]) ?? span.name,
      parentSpanId: textOf(merged[updateFields.parent]) ?? span.parentSpanId,
      startNs: start ?? span.startNs,
      endNs: nanoseconds(merged[updateFields.end]) ?? null,
      attributes: { ...span.attributes, ...withoutFields(merged) },
      events: span.events.filter((event: SpanEvent) => event.name !== spanUpdateEvent),
    },
  }
}

const withoutFields = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => !fieldNames.has(key)))

const textOf = (value: AttributeValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const nanoseconds = (value: AttributeValue | undefined): bigint | undefined =>
  typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : undefined

const least = (times: readonly bigint[]): bigint | undefined =>
  times.reduce<bigint | undefined>((min, time) => (min === undefined || time < min ? time : min), undefined)

const lastMoment = (spans: readonly ReceivedSpan[]): bigint | undefined =>
  spans
    .map(({ startNs, endNs }) => endNs ?? startNs)
    .reduce<bigint | undefined>((max, time) => (max === undefined || time > max ? time : max), undefined)
