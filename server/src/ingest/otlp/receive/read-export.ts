/** Reads the spans of an export, or its log records that belong to spans. An invalid one does not affect the others. */
import { ServiceError } from '@plumbline/contract/errors'
import { parseJsonBytes } from '@plumbline/storage/parse-json-text'
import { scanJson } from '../../../json/json-text.ts'
import { parsedAtOnceMax, parseJsonInSlices } from '../../../json/parse-json.ts'
import { isSystemError } from '../../../process/system-error.ts'
import { isReference } from '../references.ts'
import type { Attributes, Span, SpanEvent, SpanLink } from '../span.ts'
import { refuseManyMessages } from './count-messages.ts'
import { logsRequest, type MessageType, traceRequest } from './message-types.ts'
import { decodeLogs, decodeSpan, decodeTraces } from './protobuf.ts'
import {
  checkAttributes,
  hasId,
  hasTime,
  listOf,
  readAttributes,
  readId,
  readTime,
  readValue,
  textOf,
  Unreadable,
} from './read-value.ts'
import { type ScannedSpan, scanSpans } from './scan-spans.ts'
import type { LogsRequest, TraceRequest, WireEvent, WireLink, WireLogRecord, WireSpan } from './wire.ts'

export type Encoding = 'protobuf' | 'json'

/** A log record that belongs to a span, as an event of that span. */
export interface SpanAddition {
  readonly traceId: string
  readonly spanId: string
  readonly event: SpanEvent
  /** Its position in the export. */
  readonly sequence: number
}

export interface ReadExport<Part> {
  readonly parts: Part[]
  readonly rejected: number
  /** A sentence on the first rejection; empty when there is none. */
  readonly problem: string
}

/** The bytes are not a message of the protocol. */
export class MalformedExport extends Error {
  override readonly name = 'MalformedExport'
}

/** Reads spans in the order of the export; `json` is the parsed value of the bytes if the caller has it. */
export const readSpans = (bytes: Buffer, encoding: Encoding, json?: unknown): ReadExport<Span> =>
  readEachSpan(decodeRequest<TraceRequest>(bytes, encoding, decodeTraces, json), readSpan)

/** The facts of a span that accepting it requires. */
export interface SpanHead {
  readonly traceId: string
  /** Undefined if no attribute is a reference. */
  readonly attributes: Attributes | undefined
}

/** The heads of the spans that `readSpans` reads, with the same rejections; takes a fraction of the time. */
export function readSpanHeads(bytes: Buffer, encoding: Encoding, json?: unknown): ReadExport<SpanHead> {
  if (encoding === 'protobuf') checkSize(bytes, traceRequest)
  const scanned = encoding === 'protobuf' ? scanSpans(bytes) : undefined
  return scanned === undefined
    ? readEachSpan(decodeRequest<TraceRequest>(bytes, encoding, decodeTraces, json), readSpanHead)
    : { parts: scanned.map(headOf), rejected: 0, problem: '' }
}

const headOf = ({ traceId, message }: ScannedSpan): SpanHead => ({
  traceId,
  attributes: message && readAttributes(decodeSpan(message).attributes),
})

function readEachSpan<Part>(
  request: TraceRequest,
  readPart: (span: WireSpan | null, resource: Span['resource'], scope: Span['scope']) => Part,
): ReadExport<Part> {
  const read = new ExportReader<Part>()
  for (const [resourceIndex, ofResource] of listOf(request.resourceSpans).entries()) {
    const place = `resourceSpans[${resourceIndex}]`
    const attributes = ofResource?.resource?.attributes
    const resource = read.attempt(`${place}.resource`, () => readAttributes(attributes)) ?? {}
    for (const [scopeAt, ofScope] of listOf(ofResource?.scopeSpans).entries()) {
      const path = `${place}.scopeSpans[${scopeAt}]`
      const scope = read.attempt(path, () => readScope(ofScope?.scope)) ?? noScope
      for (const [spanAt, span] of listOf(ofScope?.spans).entries())
        read.add(path, 'spans', spanAt, () => readPart(span, resource, scope))
    }
  }
  return read
}

/** Reads events of spans in the order of the export; skips log records that belong to no span. */
export function readLogRecords(bytes: Buffer, encoding: Encoding, json?: unknown): ReadExport<SpanAddition> {
  if (encoding === 'protobuf') checkSize(bytes, logsRequest)
  const request = decodeRequest<LogsRequest>(bytes, encoding, decodeLogs, json)
  const read = new ExportReader<SpanAddition>()
  for (const [resourceIndex, ofResource] of listOf(request.resourceLogs).entries())
    for (const [scopeAt, ofScope] of listOf(ofResource?.scopeLogs).entries()) {
      const path = `resourceLogs[${resourceIndex}].scopeLogs[${scopeAt}]`
      for (const [recordAt, record] of listOf(ofScope?.logRecords).entries())
        read.add(path, 'logRecords', recordAt, () => readLogRecord(record, read.parts.length))
    }
  return read
}

class ExportReader<Part> implements ReadExport<Part> {
  readonly parts: Part[] = []
  rejected = 0
  problem = ''

  /** Builds the full path only when there is a problem to report. */
  add(path: string, list: string, index: number, read: () => Part | undefined): void {
    try {
      const part = read()
      if (part !== undefined) this.parts.push(part)
    } catch (error) {
      this.rejected += 1
      this.#note(`${path}.${list}[${index}]`, error)
    }
  }

  /** Reads a value that many spans share; leaves it out if it is invalid. */
  attempt<Value>(path: string, read: () => Value): Value | undefined {
    try {
      return read()
    } catch (error) {
      this.#note(path, error)
      return undefined
    }
  }

  #note(path: string, error: unknown): void {
    if (!(error instanceof Unreadable)) throw error
    if (this.problem === '') this.problem = `${path} ${error.message}.`
  }
}

function decodeRequest<Request>(
  bytes: Buffer,
  encoding: Encoding,
  decode: (bytes: Uint8Array) => Request,
  schemaKeys: unknown,
): Request {
  try {
    if (encoding === 'protobuf') return decode(bytes)
    const json = schemaKeys ?? parseText(bytes)
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new Error('It is not an object.')
    // Safe: the readers check every field.
    return json as Request
  } catch (error) {
    if (error instanceof ServiceError || isSystemError(error)) throw error
    throw malformedExport(encoding, error)
  }
}

function checkSize(bytes: Buffer, type: MessageType): void {
  try {
    refuseManyMessages(bytes, type)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw malformedExport('protobuf', error)
  }
}

/** Numbers beyond the range of doubles become infinite, which the protocol's own numbers may be too. */
function parseText(bytes: Buffer): unknown {
  scanJson(bytes)
  return parseJsonBytes(bytes)
}

/** Parses a large JSON export in slices, so that other requests proceed; undefined for any other export. */
export async function parseLargeExport(bytes: Buffer, encoding: Encoding): Promise<unknown> {
  if (encoding === 'protobuf' || bytes.length <= parsedAtOnceMax) return undefined
  try {
    return await parseJsonInSlices(bytes, { refusesOverflow: false })
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'malformed_json')
      throw malformedExport(encoding, error)
    throw error
  }
}

const malformedExport = (encoding: Encoding, cause: unknown): MalformedExport =>
  new MalformedExport(
    `must be an OTLP message in ${encoding === 'json' ? 'JSON' : 'protobuf'}, as Content-Type says`,
    { cause },
  )

function readSpan(span: WireSpan | null, resource: Span['resource'], scope: Span['scope']): Span {
  if (typeof span !== 'object' || span === null) throw new Unreadable('is not a span')
  const traceId = readId(span.traceId, 16)
  const spanId = readId(span.spanId, 8)
  if (traceId === '' || spanId === '') throw new Unreadable(missingIds)
  const startNs = readTime(span.startTimeUnixNano, 'startTimeUnixNano')
  const endNs = readTime(span.endTimeUnixNano, 'endTimeUnixNano')
  if (startNs === 0n) throw new Unreadable(missingStart)
  return {
    traceId,
    spanId,
    parentSpanId: readId(span.parentSpanId, 8) || null,
    name: textOf(span.name),
    kind: enumOf(span.kind, spanKinds),
    startNs,
    endNs: endNs === 0n ? null : endNs,
    attributes: readAttributes(span.attributes),
    events: listOf(span.events).map(readEvent),
    links: listOf(span.links).flatMap(readLink),
    status: { code: enumOf(span.status?.code, statusCodes), message: textOf(span.status?.message) },
    resource,
    scope,
  }
}

/** Checks in the order of `readSpan`, so that both report the same problem. */
function readSpanHead(span: WireSpan | null): SpanHead {
  if (typeof span !== 'object' || span === null) throw new Unreadable('is not a span')
  const traceId = readId(span.traceId, 16)
  const hasSpanId = hasId(span.spanId, 8)
  if (traceId === '' || !hasSpanId) throw new Unreadable(missingIds)
  const hasStart = hasTime(span.startTimeUnixNano, 'startTimeUnixNano')
  hasTime(span.endTimeUnixNano, 'endTimeUnixNano')
  if (!hasStart) throw new Unreadable(missingStart)
  hasId(span.parentSpanId, 8)
  const isReferring = listOf(span.attributes).some((each) => isReference(each?.key))
  if (!isReferring) checkAttributes(span.attributes)
  const attributes = isReferring ? readAttributes(span.attributes) : undefined
  for (const event of listOf(span.events)) {
    hasTime(event?.timeUnixNano, eventTime)
    checkAttributes(event?.attributes)
  }
  listOf(span.links).forEach(readLink)
  return { traceId, attributes }
}

const missingIds = 'must have a traceId and a spanId that are not zero'
const missingStart = 'must have a startTimeUnixNano'
const eventTime = 'timeUnixNano of an event'

const noScope: Span['scope'] = { name: '', version: '', attributes: {} }

const readScope = (
  scope: { name?: unknown; version?: unknown; attributes?: TraceAttributes } | null | undefined,
) =>
  scope == null
    ? noScope
    : {
        name: textOf(scope.name),
        version: textOf(scope.version),
        attributes: readAttributes(scope.attributes),
      }

type TraceAttributes = WireSpan['attributes']

const readEvent = (event: WireEvent): SpanEvent => ({
  name: textOf(event?.name),
  timeNs: readTime(event?.timeUnixNano, eventTime),
  attributes: readAttributes(event?.attributes),
})

/** Ignores a link that names no span. */
function readLink(link: WireLink): SpanLink[] {
  const traceId = readId(link?.traceId, 16)
  const spanId = readId(link?.spanId, 8)
  return traceId === '' || spanId === ''
    ? []
    : [{ traceId, spanId, attributes: readAttributes(link.attributes) }]
}

function readLogRecord(record: WireLogRecord | null, sequence: number): SpanAddition | undefined {
  const traceId = readId(record?.traceId, 16)
  const spanId = readId(record?.spanId, 8)
  if (record == null || traceId === '' || spanId === '') return undefined
  const attributes = readAttributes(record.attributes)
  // A line of an ordinary log has no event name.
  const name = textOf(record.eventName) || textOf(attributes['event.name']) || 'log'
  const body = readValue(record.body)
  const timeNs =
    readTime(record.timeUnixNano, 'timeUnixNano') ||
    readTime(record.observedTimeUnixNano, 'observedTimeUnixNano')
  // Older conventions put into the body, as an object or text, what newer conventions put into attributes.
  const bodyAttributes: Attributes =
    record.body?.kvlistValue == null
      ? body === null
        ? {}
        : { body }
      : readAttributes(record.body.kvlistValue.values)
  return {
    traceId,
    spanId,
    event: { name, timeNs, attributes: { ...bodyAttributes, ...attributes } },
    sequence,
  }
}

const spanKinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
)
const statusCodes = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`)

/** The number of an enum value, which JSON may also give by name; 0 when absent or unknown. */
function enumOf(input: number | string | null | undefined, names: readonly string[]): number {
  if (typeof input === 'object') return 0
  const value = typeof input === 'string' && !/^\d+$/.test(input) ? names.indexOf(input) : Number(input ?? 0)
  return Number.isInteger(value) && value >= 0 && value < names.length ? value : 0
}
