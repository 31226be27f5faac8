import fs from 'node:fs'
import { join } from 'node:path'
import { ActiveSegment } from './active-segment.ts'
import { CommitQueue, recordBytes } from './commit-queue.ts'
import { type DiskReserve, type DiskSpace, makeDiskReserve } from './disk-reserve.ts'
import { failureOf, SpoolFailed, SpoolFull } from './errors.ts'
import { readStartTime, SEGMENT_HEADER, segmentPath } from './format.ts'
import { type HeldSegment, readPayload } from './held-segment.ts'
import type { SegmentSource } from './read-segment.ts'
import { recoverSegments, type SegmentDamage } from './recover.ts'
import { reduceSegment } from './reduce-segment.ts'
import { SpareFiles } from './spare-files.ts'
import type { Segment, Spool, SpoolSize, TaggedRecord, WaitingRecords } from './spool.ts'

export type { SegmentDamage } from './recover.ts'

export interface FileSpoolOptions {
  readonly folder: string
  /** The disk quota. Beyond it, and beyond `recordsMax`, appends are rejected with `SpoolFull`. */
  readonly bytesMax: number
  /** Also bounds memory: each waiting record costs about 100 bytes of index. */
  readonly recordsMax: number
  /** A segment ends before the record that would exceed this; a larger record gets a segment to itself. */
  readonly segmentBytesMax: number
  /** Limits the bytes queued in memory. */
  readonly queuedBytesMax?: number
  /** Replaces the reading of the disk's free space. */
  readonly diskSpace?: () => Promise<DiskSpace>
  /** Called while opening, for each damaged file. */
  readonly onDamage: (damage: SegmentDamage) => void
  /** False skips all syncs, to measure their cost. */
  readonly isDurable?: boolean
}

/** A sealed segment with its file. */
export interface FileSegment extends Segment {
  readonly path: string
}

/** Larger than most records. */
const probeBytes = 64 * 1024
const QUEUED_BYTES_MAX = 64 * 1024 * 1024
/** The maximum size of a group that one sync covers. A larger record is a group of its own and is not copied. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024

/** Opens the folder and recovers its segments. Only one process may have it open. */
export async function openFileSpool(options: FileSpoolOptions): Promise<FileSpool> {
  const segments = await recoverSegments(options.folder, options.onDamage)
  const reserve = makeDiskReserve(options.folder, options.diskSpace)
  await reserve.refresh()
  return new FileSpool(options, segments, reserve)
}

/** The spool of one node: each segment is a file, which one sync covers per group of records. */
export class FileSpool implements Spool {
  readonly isShared = false
  readonly processNumber = 0
  readonly rejections = undefined
  readonly #options: FileSpoolOptions
  readonly #queuedBytesMax: number
  readonly #sealed: HeldSegment[]
  readonly #reserve: DiskReserve
  readonly #spares: SpareFiles
  #active: ActiveSegment | undefined
  /** The buffer for the current group; only one is written at a time. */
  readonly #groupSpace = Buffer.allocUnsafeSlow(GROUP_BYTES_MAX)
  readonly #queue = new CommitQueue({ commit: () => this.#commit(), endSegment: () => this.#endSegment() })
  #heldBytes = 0
  #heldRecords = 0
  #lastBeganAtMs: number

  constructor(options: FileSpoolOptions, segments: HeldSegment[], reserve: DiskReserve) {
    this.#options = options
    this.#reserve = reserve
    this.#spares = new SpareFiles(options.segmentBytesMax)
    this.#queuedBytesMax = options.queuedBytesMax ?? QUEUED_BYTES_MAX
    this.#sealed = segments
    const newest = segments.at(-1)
    this.#lastBeganAtMs = newest === undefined ? 0 : readStartTime(newest.id).getTime()
    for (const segment of segments) {
      this.#heldBytes += segment.bytes
      this.#heldRecords += segment.records
    }
  }

  /** Resolves when the record survives `kill -9` and power loss. No other node reads it, so tags have no effect. */
  async append(id: string, payload: readonly Uint8Array[]): Promise<void> {
    const bytes = recordBytes(id, payload)
    const rejection = this.#rejectionFor(bytes)
    if (rejection !== undefined) throw rejection
    await this.#queue.push({ id, payload, tags: [], orderedTags: [], bytes })
  }

  /** The payload of a record, read from the disk, until its segment is removed. */
  async find(id: string): Promise<Buffer | undefined> {
    const segment = this.#segmentOf(id)
    try {
      return segment && (await readPayload(segment, id))
    } catch (error) {
      // The segment was reduced meanwhile and has a new file.
      if (this.#segmentOf(id) !== segment) return this.find(id)
      throw error
    }
  }

  /** The ids of all records, oldest first. */
  *ids(): Iterable<string> {
    for (const segment of this.#sealed) yield* segment.offsets.keys()
    if (this.#active !== undefined) yield* this.#active.segment.offsets.keys()
  }

  /** True from when append resolved until the record's segment is removed. */
  has(id: string): boolean {
    return this.#segmentOf(id) !== undefined
  }

  /** Seals the active segment, if any; the next append starts another. */
  seal(): Promise<void> {
    return this.#queue.seal()
  }

  /** Segments to drain, oldest first. */
  sealed(): readonly FileSegment[] {
    return this.#sealed.map(({ id, path, records, bytes }) => ({ id, path, records, bytes }))
  }

  async source({ id, bytes }: Segment): Promise<SegmentSource> {
    return { path: segmentPath(this.#options.folder, id), bytes }
  }

  /**
   * Removes a segment that is stored in the trace store. Does not sync the folder: a file that reappears after power
   * loss is a replay, which the trace store recognizes by its id.
   */
  async remove({ id }: { readonly id: string }): Promise<void> {
    const segment = this.#sealed.find((candidate) => candidate.id === id)
    if (segment === undefined) return
    try {
      await this.#spares.add(segment)
      // A full disk needs the space.
      if (this.#reserve.isReached()) await this.#spares.clear()
    } catch (cause) {
      throw new SpoolFailed('A segment of the spool could not be removed.', { cause })
    }
    const index = this.#sealed.indexOf(segment)
    if (index < 0) return
    this.#sealed.splice(index, 1)
    this.#heldBytes -= segment.bytes
    this.#heldRecords -= segment.records
  }

  /**
   * The file is replaced atomically: a crash leaves either the old one, which the trace store recognizes, or the new
   * one.
   */
  async reduce({ id }: Segment, { ids }: WaitingRecords): Promise<void> {
    const segment = this.#sealed.find((candidate) => candidate.id === id)
    if (segment === undefined || ids.size === segment.records) return
    const reduced = await reduceSegment(segment, ids)
    const index = this.#sealed.indexOf(segment)
    if (index < 0) return
    this.#sealed.splice(index, 1, reduced)
    this.#heldBytes -= segment.bytes - reduced.bytes
    this.#heldRecords -= segment.records - reduced.records
  }

  async findByTag(): Promise<readonly TaggedRecord[]> {
    return []
  }

  async findFirst(): Promise<ReadonlyMap<string, readonly string[]>> {
    return new Map()
  }

  async othersDrained(): Promise<void> {}

  onReclaimed(): void {}

  appended(): { readonly records: number; readonly bytes: number } {
    return this.#queue.committedCounts
  }

  /** The size of the spool; `oldestAt` is when the oldest segment began. */
  size(): SpoolSize {
    const oldest = this.#sealed[0] ?? this.#active?.segment
    return {
      records: this.#heldRecords,
      bytes: this.#heldBytes,
      oldestAt: oldest && readStartTime(oldest.id),
    }
  }

  /**
   * Why a record could not be kept now, or undefined: a few KB are written to the disk and removed again, so that a
   * full or failing disk is noticed before a client hits it.
   */
  async problem(): Promise<SpoolFull | SpoolFailed | undefined> {
    await this.#reserve.refresh()
    const rejection = this.#rejectionFor(probeBytes)
    if (rejection !== undefined) return rejection
    const path = join(this.#options.folder, `probe-${process.pid}`)
    try {
      await fs.promises.writeFile(path, Buffer.alloc(probeBytes), { mode: 0o600 })
      await fs.promises.rm(path, { force: true })
      return undefined
    } catch (cause) {
      await fs.promises.rm(path, { force: true }).catch(() => {})
      return failureOf(cause)
    }
  }

  /** Commits queued records and seals the segment; later appends are rejected. */
  async close(): Promise<void> {
    await this.#queue.close()
    await this.#spares.clear()
  }

  #rejectionFor(bytes: number): SpoolFull | SpoolFailed | undefined {
    if (this.#queue.isClosed) return new SpoolFailed('The spool is closed.')
    if (this.#heldRecords + this.#queue.count >= this.#options.recordsMax)
      return new SpoolFull('The spool has reached its maximum number of records.')
    if (this.#heldBytes + this.#queue.bytes + bytes > this.#options.bytesMax)
      return new SpoolFull('The spool has reached its maximum size.')
    if (this.#queue.bytes + bytes > this.#queuedBytesMax)
      return new SpoolFull('The spool disk cannot keep up.')
    if (this.#reserve.isReached())
      return new SpoolFull('The spool disk is full: the remaining space is reserved for the trace store.')
    return undefined
  }

  /** Newest first: readers mostly request recent records. */
  #segmentOf(id: string): HeldSegment | undefined {
    if (this.#active?.segment.offsets.has(id)) return this.#active.segment
    return this.#sealed.findLast((segment) => segment.offsets.has(id))
  }

  /** Writes one group to the disk: either all of it is acknowledged or none. */
  async #commit(): Promise<void> {
    const { segmentBytesMax } = this.#options
    const activeBytes = this.#active?.segment.bytes ?? 0
    if (activeBytes + this.#queue.nextBytes > segmentBytesMax) await this.#endSegment()
    const usedBytes = this.#active?.segment.bytes ?? SEGMENT_HEADER.length
    const group = this.#queue.take(
      Math.min(segmentBytesMax - usedBytes, GROUP_BYTES_MAX - SEGMENT_HEADER.length),
    )
    try {
      this.#active ??= await this.#beginSegment()
      const { segment } = this.#active
      const bytesBefore = segment.bytes
      await this.#active.append(group, this.#groupSpace)
      this.#heldBytes += segment.bytes - bytesBefore
      this.#heldRecords += group.length
      this.#queue.resolve(group)
    } catch (cause) {
      await this.#abandonSegment()
      this.#queue.reject(group, failureOf(cause))
    }
  }

  /** Keeps segments in the order in which they began, even if the clock was set back. */
  #beginSegment(): Promise<ActiveSegment> {
    const { folder, isDurable = true } = this.#options
    this.#lastBeganAtMs = Math.max(Date.now(), this.#lastBeganAtMs + 1)
    return ActiveSegment.begin(folder, this.#lastBeganAtMs, { isDurable, spares: this.#spares })
  }

  async #endSegment(): Promise<void> {
    const active = this.#active
    if (active === undefined) return
    this.#active = undefined
    this.#sealed.push(active.segment)
    await active.close()
  }

  /** Keeps records acknowledged before the failure; the next group goes to a new file. */
  async #abandonSegment(): Promise<void> {
    const active = this.#active
    if (active === undefined) return
    await active.abandon()
    this.#active = undefined
    if (active.segment.records > 0) this.#sealed.push(active.segment)
  }
}
