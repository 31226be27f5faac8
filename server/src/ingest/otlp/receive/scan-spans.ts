/**
 * Reads from the bytes of a protobuf export what accepting its spans requires. Decoding an export makes thousands of objects
 * and texts, which only the worker needs; scanning makes one object for each span, and checks the rest. Anything in an
 * unusual form (an id of another length, a field of another type, a truncated message) is left to the decoder, which can
 * report the problem.
 */
import { isReferenceIn } from '../references.ts'
import {
  attribute,
  bytes,
  fixed32,
  fixed64,
  link,
  type MessageType,
  span,
  traceRequest,
  varint,
} from './message-types.ts'

export interface ScannedSpan {
  readonly traceId: string
  /** The whole message, if an attribute is a reference. */
  readonly message: Buffer | undefined
}

const traceIdBytes = 16
const spanIdBytes = 8
/** Deeper values are left to the decoder. */
const nestingMax = 20

/** The spans of an export, in order; undefined if the export has to be decoded. */
export function scanSpans(body: Buffer): readonly ScannedSpan[] | undefined {
  const scan = new Scan(body)
  try {
    scan.message(traceRequest, body.length)
    return scan.spans
  } catch (error) {
    if (error === unusual) return undefined
    throw error
  }
}

/** Thrown if an export is not in the form that exporters write. A single instance, since making a stack is slow. */
const unusual = new Error('The export is unusual.')

class Scan {
  readonly spans: ScannedSpan[] = []
  readonly body: Buffer
  position = 0
  #traceId = ''
  #traceIdStart = -1

  constructor(body: Buffer) {
    this.body = body
  }

  /** Scans a message up to its end. */
  message(type: MessageType, end: number, depth = 0): void {
    while (this.position < end) this.field(type, this.shortVarint(), depth)
    this.checkEnd(end)
  }

  /** Scans a field after its tag. */
  field({ fields }: MessageType, tag: number, depth: number): void {
    const type = fields[tag >>> 3]
    const wireType = tag & 7
    if (tag < 8 || depth > nestingMax) throw unusual
    if (type === undefined) this.skip(wireType)
    else if (typeof type === 'number') {
      if (wireType !== type) throw unusual
      this.skip(wireType)
    } else {
      if (wireType !== bytes) throw unusual
      const end = this.shortVarint() + this.position
      if (type === span) scanSpan(this, end)
      else if (type === link) scanLink(this, end)
      else this.message(type, end, depth + 1)
    }
  }

  /** A varint of at most 28 bits, as tags and lengths are. */
  shortVarint(): number {
    const { body } = this
    let byte = body[this.position++]!
    if (byte < 128) return byte
    let result = byte & 127
    for (let shift = 7; shift < 28; shift += 7) {
      byte = body[this.position++]!
      result |= (byte & 127) << shift
      if (byte < 128) return result
    }
    throw unusual
  }

  skip(wireType: number): void {
    if (wireType === varint) this.#skipVarint()
    else if (wireType === fixed64) this.position += 8
    else if (wireType === bytes) this.position = this.shortVarint() + this.position
    else if (wireType === fixed32) this.position += 4
    else throw unusual
  }

  /** Throws if the scanned field does not end where its message does, or ends after the body. */
  checkEnd(end: number): void {
    if (this.position !== end || end > this.body.length) throw unusual
  }

  /** The position of an id of the given length; -1 for an empty one. */
  startOfId(length: number): number {
    const foundLength = this.shortVarint()
    if (foundLength === 0) return -1
    if (foundLength !== length) throw unusual
    this.position += length
    return this.position - length
  }

  /** Whether a range is empty or contains only zeros. */
  isZero(start: number, length: number): boolean {
    if (start < 0) return true
    for (let index = start; index < start + length; index++) if (this.body[index] !== 0) return false
    return true
  }

  /** Cached, since most spans of an export have the same trace as the one before. */
  traceId(start: number): string {
    if (!this.#isSameTrace(start)) {
      this.#traceId = this.body.toString('hex', start, start + traceIdBytes)
      this.#traceIdStart = start
    }
    return this.#traceId
  }

  #isSameTrace(start: number): boolean {
    if (this.#traceIdStart < 0) return false
    for (let index = 0; index < traceIdBytes; index++)
      if (this.body[this.#traceIdStart + index] !== this.body[start + index]) return false
    return true
  }

  #skipVarint(): void {
    for (let count = 0; count < 10; count++) if (this.body[this.position++]! < 128) return
    throw unusual
  }
}

function scanSpan(scan: Scan, end: number): void {
  const begin = scan.position
  let traceIdStart = -1
  let spanIdStart = -1
  let startTimeStart = -1
  let hasReference = false
  while (scan.position < end) {
    const tag = scan.shortVarint()
    switch (tag) {
      // trace_id
      case (1 << 3) | bytes:
        traceIdStart = scan.startOfId(traceIdBytes)
        break
      // span_id
      case (2 << 3) | bytes:
        spanIdStart = scan.startOfId(spanIdBytes)
        break
      // parent_span_id
      case (4 << 3) | bytes:
        scan.startOfId(spanIdBytes)
        break
      // start_time_unix_nano
      case (7 << 3) | fixed64:
        startTimeStart = scan.position
        scan.skip(fixed64)
        break
      // attributes
      case (9 << 3) | bytes:
        if (scanAttribute(scan, scan.shortVarint() + scan.position)) hasReference = true
        break
      default:
        scan.field(span, tag, 0)
    }
  }
  scan.checkEnd(end)
  if (
    scan.isZero(traceIdStart, traceIdBytes) ||
    scan.isZero(spanIdStart, spanIdBytes) ||
    scan.isZero(startTimeStart, 8)
  )
    throw unusual
  const message = hasReference ? scan.body.subarray(begin, end) : undefined
  scan.spans.push({ traceId: scan.traceId(traceIdStart), message })
}

/** Whether an attribute of a span is a reference. */
function scanAttribute(scan: Scan, end: number): boolean {
  let hasReference = false
  while (scan.position < end) {
    const tag = scan.shortVarint()
    if (tag === ((1 << 3) | bytes)) {
      const length = scan.shortVarint()
      const start = scan.position
      scan.position += length
      hasReference ||= isReferenceIn(scan.body, start, start + length)
    } else scan.field(attribute, tag, 0)
  }
  scan.checkEnd(end)
  return hasReference
}

/** Scans a link, whose ids may be empty. */
function scanLink(scan: Scan, end: number): void {
  while (scan.position < end) {
    const tag = scan.shortVarint()
    if (tag === ((1 << 3) | bytes)) scan.startOfId(traceIdBytes)
    else if (tag === ((2 << 3) | bytes)) scan.startOfId(spanIdBytes)
    else scan.field(link, tag, 0)
  }
  scan.checkEnd(end)
}
