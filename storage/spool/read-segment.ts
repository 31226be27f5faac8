/** Reading a segment file: without state, so that a worker thread can do it. */
import { readFileSync } from 'node:fs'
import { markerOf, recordAt, recordBytesAt, SEGMENT_HEADER, type SpoolRecord, segmentIdOf } from './format.ts'

/** What a segment file holds, and what it has lost. */
export interface SegmentContents {
  /** In the order they were appended; the payloads are views of one buffer, the file. */
  readonly records: readonly SpoolRecord[]
  /** Where each record begins in the file. */
  readonly offsets: readonly number[]
  /** Records that were skipped since their bytes are damaged. */
  readonly damagedRecords: number
  /** Where the last whole record ends. */
  readonly wholeBytes: number
  /** What follows it: a write that was cut short. */
  readonly tornBytes: number
}

/**
 * Every whole record of a segment. A segment is read in one go: it is bounded by the spool's `segmentBytesMax`
 * or is a single record. Nothing behind `bytes` is read, since that was never acknowledged.
 */
export function readSegment(segment: { readonly path: string; readonly bytes?: number }): SegmentContents {
  const segmentId = segmentIdOf(segment.path)
  if (segmentId === undefined) throw new Error(`${segment.path} is not a segment of a spool.`)
  const bytes = readFileSync(segment.path).subarray(0, segment.bytes)
  refuseOtherVersions(bytes, segment.path)
  const marker = markerOf(segmentId)
  const records: SpoolRecord[] = []
  const offsets: number[] = []
  let damagedRecords = 0
  let damagedSinceWhole = 0
  let wholeBytes = Math.min(SEGMENT_HEADER.length, bytes.length)
  let at = SEGMENT_HEADER.length
  while (at >= 0 && at < bytes.length) {
    const record = recordAt(bytes, at, marker)
    if (record === undefined) {
      // The length cannot be believed either, so what comes next is wherever the marker is seen again.
      damagedSinceWhole++
      at = bytes.indexOf(marker, at + 1)
      continue
    }
    records.push(record)
    offsets.push(at)
    damagedRecords += damagedSinceWhole
    damagedSinceWhole = 0
    at += recordBytesAt(bytes, at)
    wholeBytes = at
  }
  return { records, offsets, damagedRecords, wholeBytes, tornBytes: bytes.length - wholeBytes }
}

/** A damaged header is no loss, but a whole one with another version must not be taken for damage. */
function refuseOtherVersions(bytes: Buffer, path: string): void {
  const versionAt = SEGMENT_HEADER.length - 1
  const isOurs = bytes.length > versionAt && bytes.compare(SEGMENT_HEADER, 0, versionAt, 0, versionAt) === 0
  if (isOurs && bytes[versionAt] !== SEGMENT_HEADER[versionAt]) {
    throw new Error(`${path} was written by another version, whose segments this one cannot read.`)
  }
}
