/** Reads a segment file; stateless, so that a worker thread can do it. */
import { readFileSync } from 'node:fs'
import {
  markerOf,
  RECORD_HEADER_BYTES,
  recordAt,
  recordBytesAt,
  SEGMENT_HEADER,
  type SpoolRecord,
  segmentIdOf,
} from './format.ts'

/** The records of a segment file, and its damage. */
export interface SegmentContents {
  /** In the order they were appended; the payloads are views of one buffer, the file. */
  readonly records: readonly SpoolRecord[]
  /** Where each record begins in the file. */
  readonly offsets: readonly number[]
  /** The number of damaged records, which were skipped. */
  readonly damagedRecords: number
  /** Where the last complete record ends. */
  readonly wholeBytes: number
  /** The bytes after it, if they are an interrupted write and not the rest of an overwritten file. */
  readonly tornBytes: number
}

/** A segment: its file, or the contents that such a file would have. */
export type SegmentSource =
  | { readonly path: string; readonly bytes?: number }
  | { readonly id: string; readonly contents: Uint8Array }

/**
 * Reads every intact record of a segment. Reads a file at once: its size is bounded by the spool's `segmentBytesMax`,
 * or it has a single record. Ignores everything after `bytes`, which was never acknowledged.
 */
export function readSegment(source: SegmentSource): SegmentContents {
  const { segmentId, bytes } = contentsOf(source)
  const marker = markerOf(segmentId)
  const records: SpoolRecord[] = []
  const offsets: number[] = []
  let damagedRecords = 0
  let damagedSinceWhole = 0
  let wholeBytes = Math.min(SEGMENT_HEADER.length, bytes.length)
  let position = SEGMENT_HEADER.length
  while (position >= 0 && position < bytes.length) {
    const record = recordAt(bytes, position, marker)
    if (record === undefined) {
      // The length may be damaged too, so continue at the next marker.
      damagedSinceWhole++
      position = bytes.indexOf(marker, position + 1)
      continue
    }
    records.push(record)
    offsets.push(position)
    damagedRecords += damagedSinceWhole
    damagedSinceWhole = 0
    position += recordBytesAt(bytes, position)
    wholeBytes = position
  }
  // An interrupted write does not reach the end of its last record. If complete records follow, the damage came later.
  if (endsWithRecords(bytes, wholeBytes, marker)) damagedRecords += damagedSinceWhole
  // If the length of a segment is known, every byte belongs to it.
  const isOfKnownLength = 'contents' in source || source.bytes !== undefined
  const isLeftOver = !isOfKnownLength && isOfAnother(bytes.subarray(wholeBytes), marker)
  return {
    records,
    offsets,
    damagedRecords,
    wholeBytes,
    tornBytes: isLeftOver ? 0 : bytes.length - wholeBytes,
  }
}

function contentsOf(source: SegmentSource): { segmentId: string; bytes: Buffer } {
  if ('contents' in source) {
    const { buffer, byteOffset, byteLength } = source.contents
    return { segmentId: source.id, bytes: Buffer.from(buffer, byteOffset, byteLength) }
  }
  const segmentId = segmentIdOf(source.path)
  if (segmentId === undefined) throw new Error(`${source.path} is not a segment of a spool.`)
  const bytes = readFileSync(source.path).subarray(0, source.bytes)
  rejectOtherVersions(bytes, source.path)
  return { segmentId, bytes }
}

/** Whether the bytes after the last record are from the segment whose file was overwritten, which had another marker. */
const isOfAnother = (bytes: Buffer, marker: Buffer): boolean =>
  bytes.indexOf(marker) < 0 && !marker.subarray(0, bytes.length).equals(bytes)

/**
 * Whether the bytes from `start` are records up to the very end. After an interrupted write in an overwritten file
 * comes the rest of the other segment, so only records that end where the file ends belong to this one.
 */
function endsWithRecords(bytes: Buffer, start: number, marker: Buffer): boolean {
  let position = start
  while (bytes.length - position >= RECORD_HEADER_BYTES) {
    if (bytes.compare(marker, 0, marker.length, position, position + marker.length) !== 0) return false
    position += recordBytesAt(bytes, position)
  }
  return position === bytes.length
}

/** A damaged header loses nothing, but an intact one with another version must not count as damage. */
function rejectOtherVersions(bytes: Buffer, path: string): void {
  const versionAt = SEGMENT_HEADER.length - 1
  const isOurs = bytes.length > versionAt && bytes.compare(SEGMENT_HEADER, 0, versionAt, 0, versionAt) === 0
  if (isOurs && bytes[versionAt] !== SEGMENT_HEADER[versionAt]) {
    throw new Error(`${path} was written by another version, whose segments this one cannot read.`)
  }
}
