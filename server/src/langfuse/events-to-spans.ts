/** Converts events of Langfuse's older clients to parts of spans, with the attributes that its newer clients send. */

import { invalid } from '@plumbline/contract'
import { parseDateTime } from '@plumbline/contract/date-time'
import { updateFields } from '../ingest/otlp/assembly/span-updates.ts'
import { otelTraceIdOf, rootSpanIdOf, spanIdOf } from './ids.ts'
import { isRecord, type JsonRecord, requiredText, textOrUndefined } from './read-input.ts'
import type { SpanPart } from './span-parts.ts'
import { usageOf } from './usage.ts'

export interface IngestionEvent {
  readonly id: string
  readonly type: string
  /** Milliseconds since 1970. */
  readonly timestamp: number
  readonly body: JsonRecord
}

const observationEvent =
  /^(span|generation|event|observation|agent|tool|chain|retriever|evaluator|embedding|guardrail)-(?:create|update)$/

export const isSpanEvent = (type: string): boolean => type === 'trace-create' || observationEvent.test(type)

export function toSpanParts(event: IngestionEvent, path: string): SpanPart[] {
  return [event.type === 'trace-create' ? traceOf(event, path) : observationOf(event, path)]
}

function traceOf({ id, body, timestamp }: IngestionEvent, path: string): SpanPart {
  const traceId = textOrUndefined(body.id) ?? id
  const start = timeOf(body, 'timestamp', path)
  return {
    traceId: otelTraceIdOf(traceId),
    spanId: rootSpanIdOf(traceId),
    timeNs: nanosecondsOf(timestamp),
    attributes: {
      [updateFields.isTrace]: true,
      ...texts({
        [updateFields.start]: start,
        [updateFields.name]: textOrUndefined(body.name),
        'langfuse.trace.name': textOrUndefined(body.name),
        'langfuse.trace.id': otelTraceIdOf(traceId) === traceId ? undefined : traceId,
        'user.id': textOrUndefined(body.userId),
        'session.id': textOrUndefined(body.sessionId),
        'langfuse.release': textOrUndefined(body.release),
        'langfuse.version': textOrUndefined(body.version),
        'langfuse.environment': textOrUndefined(body.environment),
        'langfuse.trace.input': jsonOf(body.input),
        'langfuse.trace.output': jsonOf(body.output),
      }),
      ...(Array.isArray(body.tags) ? { 'langfuse.trace.tags': body.tags.map(String) } : {}),
      ...(typeof body.public === 'boolean' ? { 'langfuse.trace.public': body.public } : {}),
      ...metadataOf('langfuse.trace.metadata', body.metadata),
    },
  }
}

function observationOf({ id: eventId, type, body, timestamp }: IngestionEvent, path: string): SpanPart {
  const id = textOrUndefined(body.id) ?? (type.endsWith('-update') ? requiredText(body, 'id') : eventId)
  // Langfuse creates a trace for an observation without one.
  const traceId = textOrUndefined(body.traceId) ?? id
  const kind = observationEvent.exec(type)?.[1] ?? 'span'
  const start = timeOf(body, 'startTime', path)
  const parent = textOrUndefined(body.parentObservationId)
  const promptName = textOrUndefined(body.promptName)
  const isStart = type.endsWith('-create')
  return {
    traceId: otelTraceIdOf(traceId),
    spanId: spanIdOf(id),
    timeNs: nanosecondsOf(timestamp),
    attributes: {
      ...texts({
        'langfuse.observation.type':
          kind === 'observation' ? textOrUndefined(body.type)?.toLowerCase() : kind,
        [updateFields.name]: textOrUndefined(body.name),
        [updateFields.parent]:
          parent === undefined ? (isStart ? rootSpanIdOf(traceId) : undefined) : spanIdOf(parent),
        [updateFields.start]: start,
        [updateFields.end]:
          kind === 'event' ? (start ?? String(nanosecondsOf(timestamp))) : timeOf(body, 'endTime', path),
        'langfuse.observation.id': spanIdOf(id) === id ? undefined : id,
        'langfuse.observation.input': jsonOf(body.input),
        'langfuse.observation.output': jsonOf(body.output),
        'langfuse.observation.level': textOrUndefined(body.level),
        'langfuse.observation.status_message': textOrUndefined(body.statusMessage),
        'langfuse.observation.model.name': textOrUndefined(body.model),
        'langfuse.observation.model.parameters': jsonOf(body.modelParameters),
        'langfuse.observation.completion_start_time': textOrUndefined(body.completionStartTime),
        'langfuse.observation.prompt.name': promptName,
        'langfuse.observation.prompt.version':
          promptName === undefined || body.promptVersion == null ? undefined : String(body.promptVersion),
        'langfuse.version': textOrUndefined(body.version),
        'langfuse.environment': textOrUndefined(body.environment),
        ...usageOf(body),
      }),
      ...metadataOf('langfuse.observation.metadata', body.metadata),
    },
  }
}

/** Each metadata field as an attribute of its own, so that later events add to the metadata. */
function metadataOf(prefix: string, metadata: unknown): SpanPart['attributes'] {
  if (metadata === undefined || metadata === null) return {}
  if (!isRecord(metadata)) return { [`${prefix}.metadata`]: jsonOf(metadata) ?? '' }
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]) => {
      const attribute = typeof value === 'number' || typeof value === 'boolean' ? value : jsonOf(value)
      return attribute === undefined ? [] : [[`${prefix}.${key}`, attribute]]
    }),
  )
}

/** A text unchanged, any other value as JSON, as the newer clients send values; undefined for null. */
const jsonOf = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? undefined
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

function texts(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  )
}

/** A time in a body, as text in nanoseconds. */
function timeOf(body: JsonRecord, field: string, path: string): string | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  const time = typeof value === 'string' ? readNanoseconds(value) : undefined
  if (time === undefined) throw invalid(`${path}.${field}`, 'must be an ISO 8601 date-time')
  return String(time)
}

const nanosecondsOf = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n

/** Keeps microseconds and smaller units, which a Date would lose. */
function readNanoseconds(text: string): bigint | undefined {
  const timeMs = parseDateTime(text)
  if (Number.isNaN(timeMs) || timeMs < 0) return undefined
  const digits = (/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(9, '0').slice(3, 9)
  return nanosecondsOf(timeMs) + BigInt(digits === '' ? 0 : digits)
}
