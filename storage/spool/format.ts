/**
 * The bytes of a segment file, all numbers little-endian:
 *
 *     segment = "PLSPOOL" version(1) record*
 *     record  = marker(8) crc(4) payloadBytes(4) idBytes(1) id payload
 *
 * The CRC-32 covers everything after it. The marker is random, one per segment, and is part of the file's name: a
 * reader that finds damage searches for it, and no client can forge it in a payload.
 */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { crc32 } from 'node:zlib'

export const SEGMENT_HEADER = Buffer.from('PLSPOOL\x01', 'latin1')
export const RECORD_HEADER_BYTES = 17
export const ID_BYTES_MAX = 255
const CRC_AT = 8
const PAYLOAD_BYTES_AT = 12
const ID_BYTES_AT = 16
const NAME = /^([0-9a-f]{12})-([0-9a-f]{16})\.segment$/

/** A record: an id and opaque bytes. */
export interface SpoolRecord {
  readonly id: string
  readonly payload: Buffer
}

/** An id that sorts by time, and holds the segment's marker. */
export function newSegmentId(beganAtMs: number): string {
  return `${beganAtMs.toString(16).padStart(12, '0')}-${randomBytes(8).toString('hex')}`
}

export function readStartTime(segmentId: string): Date {
  return new Date(Number.parseInt(segmentId.slice(0, 12), 16))
}

export function markerOf(segmentId: string): Buffer {
  return Buffer.from(segmentId.slice(13), 'hex')
}

export function segmentPath(folder: string, segmentId: string): string {
  return path.join(folder, `${segmentId}.segment`)
}

/** The id in a file's name, or undefined if the file is not a segment. */
export function segmentIdOf(file: string): string | undefined {
  const name = path.basename(file)
  return NAME.test(name) ? name.slice(0, -'.segment'.length) : undefined
}

/** Writes a record with its payload at `start` of `target`, and returns where it ends. */
export function writeRecord(
  target: Buffer,
  start: number,
  marker: Buffer,
  id: string,
  payload: readonly Uint8Array[],
): number {
  let end = writeHeader(target, start, marker, id, payload)
  for (const chunk of payload) {
    target.set(chunk, end)
    end += chunk.length
  }
  target.writeUInt32LE(crc32(target.subarray(start + PAYLOAD_BYTES_AT, end)), start + CRC_AT)
  return end
}

/** Writes a record without its payload, which must follow it in the file, and returns where it ends. */
export function writeRecordHead(
  target: Buffer,
  start: number,
  marker: Buffer,
  id: string,
  payload: readonly Uint8Array[],
): number {
  const end = writeHeader(target, start, marker, id, payload)
  let crc = crc32(target.subarray(start + PAYLOAD_BYTES_AT, end))
  for (const chunk of payload) crc = crc32(chunk, crc)
  target.writeUInt32LE(crc, start + CRC_AT)
  return end
}

function writeHeader(
  target: Buffer,
  start: number,
  marker: Buffer,
  id: string,
  payload: readonly Uint8Array[],
): number {
  let payloadBytes = 0
  for (const chunk of payload) payloadBytes += chunk.length
  const idBytes = target.write(id, start + RECORD_HEADER_BYTES)
  target.set(marker, start)
  target.writeUInt32LE(payloadBytes, start + PAYLOAD_BYTES_AT)
  target[start + ID_BYTES_AT] = idBytes
  return start + RECORD_HEADER_BYTES + idBytes
}

/** The length of the record at `start`, if its header is intact. */
export function recordBytesAt(bytes: Buffer, start: number): number {
  return RECORD_HEADER_BYTES + bytes[start + ID_BYTES_AT]! + bytes.readUInt32LE(start + PAYLOAD_BYTES_AT)
}

/** The id of the record at `start`. */
export function idAt(bytes: Buffer, start: number): string {
  const idStart = start + RECORD_HEADER_BYTES
  return bytes.toString('utf8', idStart, idStart + bytes[start + ID_BYTES_AT]!)
}

/** The whole, undamaged record at `start`, as views of `bytes`; undefined if there is none. */
export function recordAt(bytes: Buffer, start: number, marker: Buffer): SpoolRecord | undefined {
  if (bytes.length - start < RECORD_HEADER_BYTES) return undefined
  if (bytes.compare(marker, 0, marker.length, start, start + marker.length) !== 0) return undefined
  const end = start + recordBytesAt(bytes, start)
  if (end > bytes.length) return undefined
  const crc = crc32(bytes.subarray(start + PAYLOAD_BYTES_AT, end))
  if (crc !== bytes.readUInt32LE(start + CRC_AT)) return undefined
  const payloadStart = start + RECORD_HEADER_BYTES + bytes[start + ID_BYTES_AT]!
  return { id: idAt(bytes, start), payload: bytes.subarray(payloadStart, end) }
}
