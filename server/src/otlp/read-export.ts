/** The spans of an export, or what its log records say of spans. What is wrong with one of them concerns that one only. */
import { ServiceError } from '@plumbline/contract'
import { scanJson } from '../json/json-text.ts'
import { parsedAtOnceMax, parseJsonInSlices } from '../json/parse-json.ts'
import { decodeLogs, decodeTraces } from './protobuf.ts'
import { listOf, readAttributes, readId, readTime, readValue, textOf, Unreadable } from './read-value.ts'
import type { Attributes, Span, SpanEvent, SpanLink } from './span.ts'
import type { LogsRequest, TraceRequest, WireEvent, WireLink, WireLogRecord, WireSpan } from './wire.ts'

export type Encoding = 'protobuf' | 'json'

/** A log record that belongs to a span: it is read as an event of it. */
export interface SpanAddition {
  readonly traceId: string
  readonly spanId: string
  readonly event: SpanEvent
}

export interface ReadExport<Part> {
  readonly parts: Part[]
  readonly rejected: number
  /** A sentence on the first that was rejected; empty when none was. */
  readonly problem: string
}

/** The bytes are no message of the protocol. */
export class MalformedExport extends Error {
  override readonly name = 'MalformedExport'
}

/** Spans in the order they were sent; `json` is the value of the bytes where that is known. */
export function readSpans(bytes: Buffer, encoding: Encoding, json?: unknown): ReadExport<Span> {
  const request = decoded<TraceRequest>(bytes, encoding, decodeTraces, json)
  const read = new Reading<Span>()
  for (const [at, ofResource] of listOf(request.resourceSpans).entries()) {
    const place = `resourceSpans[${at}]`
    const attributes = ofResource?.resource?.attributes
    const resource = read.attempt(`${place}.resource`, () => readAttributes(attributes)) ?? {}
    for (const [scopeAt, ofScope] of listOf(ofResource?.scopeSpans).entries()) {
      const path = `${place}.scopeSpans[${scopeAt}]`
      const scope = read.attempt(path, () => readScope(ofScope?.scope)) ?? noScope
      for (const [spanAt, span] of listOf(ofScope?.spans).entries())
        read.add(path, 'spans', spanAt, () => readSpan(span, resource, scope))
    }
  }
  return read
}

/** Events of spans, in the order they were sent; log records that belong to no span are passed over. */
export function readLogRecords(bytes: Buffer, encoding: Encoding, json?: unknown): ReadExport<SpanAddition> {
  const request = decoded<LogsRequest>(bytes, encoding, decodeLogs, json)
  const read = new Reading<SpanAddition>()
  for (const [at, ofResource] of listOf(request.resourceLogs).entries())
    for (const [scopeAt, ofScope] of listOf(ofResource?.scopeLogs).entries()) {
      const path = `resourceLogs[${at}].scopeLogs[${scopeAt}]`
      for (const [recordAt, record] of listOf(ofScope?.logRecords).entries())
        read.add(path, 'logRecords', recordAt, () => readLogRecord(record))
    }
  return read
}

class Reading<Part> implements ReadExport<Part> {
  readonly parts: Part[] = []
  rejected = 0
  problem = ''

  /** The place is put into words only where something is wrong. */
  add(path: string, list: string, at: number, read: () => Part | undefined): void {
    try {
      const part = read()
      if (part !== undefined) this.parts.push(part)
    } catch (error) {
      this.rejected += 1
      this.#note(`${path}.${list}[${at}]`, error)
    }
  }

  /** What belongs to many is left out where it cannot be read. */
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

function decoded<Request>(
  bytes: Buffer,
  encoding: Encoding,
  decode: (bytes: Uint8Array) => Request,
  known: unknown,
): Request {
  try {
    if (encoding === 'protobuf') return decode(bytes)
    const json = known ?? parseText(bytes)
    if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Error('It is no object.')
    // Safe: the readers take nothing of it for granted.
    return json as Request
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw malformedExport(encoding, error)
  }
}

/** Numbers that a double cannot hold are infinite here, as the protocol's own numbers may be. */
function parseText(bytes: Buffer): unknown {
  scanJson(bytes)
  const text = bytes.toString('utf8')
  return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
}

/** The value of a large export in JSON, parsed while requests are served; undefined for the others. */
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
    `must be a message of OTLP in ${encoding === 'json' ? 'JSON' : 'protobuf'}, as Content-Type says`,
    { cause },
  )

function readSpan(sent: WireSpan | null, resource: Span['resource'], scope: Span['scope']): Span {
  if (typeof sent !== 'object' || sent === null) throw new Unreadable('is no span')
  const traceId = readId(sent.traceId, 16)
  const spanId = readId(sent.spanId, 8)
  if (traceId === '' || spanId === '')
    throw new Unreadable('must have a traceId and a spanId that are not zero')
  const startNs = readTime(sent.startTimeUnixNano, 'startTimeUnixNano')
  const endNs = readTime(sent.endTimeUnixNano, 'endTimeUnixNano')
  if (startNs === 0n) throw new Unreadable('must have a startTimeUnixNano')
  return {
    traceId,
    spanId,
    parentSpanId: readId(sent.parentSpanId, 8) || null,
    name: textOf(sent.name),
    kind: enumOf(sent.kind, spanKinds),
    startNs,
    endNs: endNs === 0n ? null : endNs,
    attributes: readAttributes(sent.attributes),
    events: listOf(sent.events).map(readEvent),
    links: listOf(sent.links).flatMap(readLink),
    status: { code: enumOf(sent.status?.code, statusCodes), message: textOf(sent.status?.message) },
    resource,
    scope,
  }
}

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

const readEvent = (sent: WireEvent): SpanEvent => ({
  name: textOf(sent?.name),
  timeNs: readTime(sent?.timeUnixNano, 'timeUnixNano of an event'),
  attributes: readAttributes(sent?.attributes),
})

/** A link that names no span links nothing. */
function readLink(sent: WireLink): SpanLink[] {
  const traceId = readId(sent?.traceId, 16)
  const spanId = readId(sent?.spanId, 8)
  return traceId === '' || spanId === ''
    ? []
    : [{ traceId, spanId, attributes: readAttributes(sent.attributes) }]
}

function readLogRecord(sent: WireLogRecord | null): SpanAddition | undefined {
  const traceId = readId(sent?.traceId, 16)
  const spanId = readId(sent?.spanId, 8)
  if (sent == null || traceId === '' || spanId === '') return undefined
  const attributes = readAttributes(sent.attributes)
  const name = textOf(sent.eventName) || textOf(attributes['event.name'])
  if (name === '') return undefined
  const body = readValue(sent.body)
  const timeNs =
    readTime(sent.timeUnixNano, 'timeUnixNano') || readTime(sent.observedTimeUnixNano, 'observedTimeUnixNano')
  // Older conventions put what newer ones put in attributes into the body: an object of it, or the whole text.
  const said: Attributes =
    sent.body?.kvlistValue == null
      ? body === null
        ? {}
        : { body }
      : readAttributes(sent.body.kvlistValue.values)
  return { traceId, spanId, event: { name, timeNs, attributes: { ...said, ...attributes } } }
}

const spanKinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
)
const statusCodes = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`)

/** A number of an enumeration, which JSON may also call by its name; 0 is what says nothing. */
function enumOf(sent: number | string | null | undefined, names: readonly string[]): number {
  const value = typeof sent === 'string' && !/^\d+$/.test(sent) ? names.indexOf(sent) : Number(sent ?? 0)
  return Number.isInteger(value) && value >= 0 && value < names.length ? value : 0
}
