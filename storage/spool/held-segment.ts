import fs from 'node:fs'
import { SpoolFailed } from './errors.ts'
import { markerOf, recordAt, recordBytesAt } from './format.ts'

/** A segment in the spool: the active one, or one waiting to be drained. */
export interface HeldSegment {
  readonly id: string
  readonly path: string
  records: number
  bytes: number
  /** The offset of each record. One map per segment, so that a drained one is dropped at once. */
  readonly offsets: Map<string, number>
}

/** Large enough to read most records at once. */
const FIRST_READ_BYTES = 16 * 1024

/** A record's payload, read from the disk; undefined if its segment was removed in the meantime. */
export async function readPayload(segment: HeldSegment, id: string): Promise<Buffer | undefined> {
  const bytes = await readRecord(segment, segment.offsets.get(id)!)
  if (bytes === undefined) return undefined
  const record = recordAt(bytes, 0, markerOf(segment.id))
  // After the segment was reduced, another record may be at this offset.
  if (record?.id !== id) throw new SpoolFailed('A record of the spool is damaged.')
  return record.payload
}

async function readRecord(segment: HeldSegment, offset: number): Promise<Buffer | undefined> {
  const bytesMax = segment.bytes - offset
  try {
    await using handle = await fs.promises.open(segment.path, 'r')
    const start = Buffer.allocUnsafe(Math.min(FIRST_READ_BYTES, bytesMax))
    await handle.read(start, 0, start.length, offset)
    const recordBytes = Math.min(recordBytesAt(start, 0), bytesMax)
    if (recordBytes <= start.length) return start
    const whole = Buffer.allocUnsafe(recordBytes)
    await handle.read(whole, 0, recordBytes, offset)
    return whole
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new SpoolFailed('A record of the spool could not be read.', { cause })
  }
}
