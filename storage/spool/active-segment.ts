import type { QueuedRecord } from './commit-queue.ts'
import {
  idAt,
  markerOf,
  newSegmentId,
  SEGMENT_HEADER,
  segmentPath,
  writeRecord,
  writeRecordHead,
} from './format.ts'
import type { HeldSegment } from './held-segment.ts'
import { SegmentFile } from './segment-file.ts'
import type { SpareFiles } from './spare-files.ts'

/** The segment being appended to: its file and the records in it. */
export class ActiveSegment {
  readonly segment: HeldSegment
  readonly #file: SegmentFile
  readonly #marker: Buffer

  private constructor(segment: HeldSegment, file: SegmentFile) {
    this.segment = segment
    this.#file = file
    this.#marker = markerOf(segment.id)
  }

  static async begin(
    folder: string,
    beganAtMs: number,
    { isDurable, spares }: { readonly isDurable: boolean; readonly spares: SpareFiles },
  ): Promise<ActiveSegment> {
    const id = newSegmentId(beganAtMs)
    const path = segmentPath(folder, id)
    const file = await SegmentFile.begin(path, isDurable, spares)
    return new ActiveSegment({ id, path, records: 0, bytes: 0, offsets: new Map() }, file)
  }

  /** Resolves once the whole group is on the disk, laid out in `space`; the segment must be abandoned after a failure. */
  async append(group: readonly QueuedRecord[], space: Buffer): Promise<void> {
    const { segment } = this
    await this.#file.append(this.#layOut(group, space))
    const start = segment.bytes
    let end = start || SEGMENT_HEADER.length
    for (const { bytes } of group) {
      // The id as read back: a caller's string may retain the many pieces it was concatenated from.
      segment.offsets.set(idAt(space, end - start), end)
      end += bytes
    }
    segment.records += group.length
    segment.bytes = end
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Closes the file after a failure; records appended before are kept. */
  abandon(): Promise<void> {
    return this.#file.abandon()
  }

  /** The bytes of a group: one copy of each record, except one that is larger than the space. */
  #layOut(group: readonly QueuedRecord[], space: Buffer): Uint8Array[] {
    let position = this.segment.bytes === 0 ? SEGMENT_HEADER.copy(space) : 0
    const first = group[0]!
    if (position + first.bytes > space.length) {
      position = writeRecordHead(space, position, this.#marker, first.id, first.payload)
      return [space.subarray(0, position), ...first.payload]
    }
    for (const { id, payload } of group) position = writeRecord(space, position, this.#marker, id, payload)
    return [space.subarray(0, position)]
  }
}
