import fs from 'node:fs'
import { join } from 'node:path'
import { ActiveSegment, type PendingRecord } from './active-segment.ts'
import { failureOf, SpoolFailed, SpoolFull } from './errors.ts'
import { beganAt, ID_BYTES_MAX, RECORD_HEADER_BYTES, SEGMENT_HEADER } from './format.ts'
import { type HeldSegment, readPayload } from './held-segment.ts'
import { recoverSegments, type SegmentDamage } from './recover.ts'

export type { SegmentDamage } from './recover.ts'

export interface SpoolOptions {
  readonly folder: string
  /** The disk quota. Beyond it, and beyond `recordsMax`, appends are rejected with `SpoolFull`. */
  readonly bytesMax: number
  /** Also bounds memory: each record that waits costs about 100 bytes of index. */
  readonly recordsMax: number
  /** A segment ends before the record that would exceed this; a larger record has one to itself. */
  readonly segmentBytesMax: number
  /** Limits the bytes queued in memory for the disk. */
  readonly queuedBytesMax?: number
  /** Called while opening, for each damaged file. */
  readonly onDamage: (damage: SegmentDamage) => void
  /** False skips all syncs, to measure their cost. */
  readonly isDurable?: boolean
}

/** A sealed file: it never changes. */
export interface Segment {
  /** Unique, so that the trace store recognizes a replay. */
  readonly id: string
  readonly path: string
  readonly records: number
  readonly bytes: number
}

interface QueuedRecord extends PendingRecord {
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/** More than most records have. */
const probeBytes = 64 * 1024
const QUEUED_BYTES_MAX = 64 * 1024 * 1024
/** The maximum size of a group that one sync covers. A larger record is a group of its own and is not copied. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024

/** Opens the folder and recovers its segments. Only one process may have it open. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  return new Spool(options, await recoverSegments(options.folder, options.onDamage))
}

/**
 * Records that were acknowledged and are not in the trace store yet.
 *
 * Appends are committed in groups: records queued during one sync go to the disk with the next write and sync.
 * A single loop changes files, so that a segment never ends in the middle of a write.
 */
export class Spool {
  readonly #options: SpoolOptions
  readonly #queuedBytesMax: number
  readonly #sealed: HeldSegment[]
  #active: ActiveSegment | undefined
  /** The buffer for the current group; only one is written at a time. */
  readonly #groupSpace = Buffer.allocUnsafeSlow(GROUP_BYTES_MAX)
  #queue: QueuedRecord[] = []
  #sealing: (() => void)[] = []
  #queuedBytes = 0
  #queuedRecords = 0
  #heldBytes = 0
  #heldRecords = 0
  #appended = { records: 0, bytes: 0 }
  #lastBeganAtMs: number
  #isRunning = false
  #isClosed = false

  constructor(options: SpoolOptions, segments: HeldSegment[]) {
    this.#options = options
    this.#queuedBytesMax = options.queuedBytesMax ?? QUEUED_BYTES_MAX
    this.#sealed = segments
    const newest = segments.at(-1)
    this.#lastBeganAtMs = newest === undefined ? 0 : beganAt(newest.id).getTime()
    for (const segment of segments) {
      this.#heldBytes += segment.bytes
      this.#heldRecords += segment.records
    }
  }

  /**
   * Resolves when the record survives `kill -9` and power loss. The chunks must not change until then, and
   * an id must be used once. Rejects with `SpoolFull` or `SpoolFailed`.
   */
  append(id: string, payload: readonly Uint8Array[]): Promise<void> {
    const idBytes = Buffer.byteLength(id)
    if (idBytes > ID_BYTES_MAX)
      return Promise.reject(new RangeError(`An id has at most ${ID_BYTES_MAX} bytes.`))
    let bytes = RECORD_HEADER_BYTES + idBytes
    for (const chunk of payload) bytes += chunk.length
    const rejection = this.#rejectionFor(bytes)
    if (rejection !== undefined) return Promise.reject(rejection)
    this.#queuedBytes += bytes
    this.#queuedRecords++
    return new Promise((resolve, reject) => {
      this.#queue.push({ id, payload, bytes, resolve, reject })
      this.#notify()
    })
  }

  /** The payload of a record, read from the disk, until its segment is removed. */
  async find(id: string): Promise<Buffer | undefined> {
    const segment = this.#segmentOf(id)
    return segment && readPayload(segment, segment.offsets.get(id)!)
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
    return new Promise((resolve) => {
      this.#sealing.push(resolve)
      this.#notify()
    })
  }

  /** Segments to drain, oldest first. */
  sealed(): readonly Segment[] {
    return this.#sealed.map(({ id, path, records, bytes }) => ({ id, path, records, bytes }))
  }

  /**
   * Removes a segment that is in the trace store. Does not sync the folder: a file that reappears after power
   * loss is a replay, which the trace store recognizes by its id.
   */
  async remove({ id }: { readonly id: string }): Promise<void> {
    const segment = this.#sealed.find((candidate) => candidate.id === id)
    if (segment === undefined) return
    try {
      await fs.promises.rm(segment.path, { force: true })
    } catch (cause) {
      throw new SpoolFailed('A segment of the spool could not be removed.', { cause })
    }
    const index = this.#sealed.indexOf(segment)
    if (index < 0) return
    this.#sealed.splice(index, 1)
    this.#heldBytes -= segment.bytes
    this.#heldRecords -= segment.records
  }

  /** What this process has appended. */
  appended(): { readonly records: number; readonly bytes: number } {
    return this.#appended
  }

  /** The size of the spool; `oldestAt` is when the oldest segment began. */
  size(): { records: number; bytes: number; oldestAt: Date | undefined } {
    const oldest = this.#sealed[0] ?? this.#active?.segment
    return {
      records: this.#heldRecords,
      bytes: this.#heldBytes,
      oldestAt: oldest && beganAt(oldest.id),
    }
  }

  /**
   * Why a record could not be kept now, or undefined: a few KB are written to the disk and removed again, so that a
   * full or failing disk is known before a client finds it.
   */
  async problem(): Promise<SpoolFull | SpoolFailed | undefined> {
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
    this.#isClosed = true
    await this.seal()
  }

  #rejectionFor(bytes: number): SpoolFull | SpoolFailed | undefined {
    if (this.#isClosed) return new SpoolFailed('The spool is closed.')
    if (this.#heldRecords + this.#queuedRecords >= this.#options.recordsMax)
      return new SpoolFull('The spool holds as many records as it may.')
    if (this.#heldBytes + this.#queuedBytes + bytes > this.#options.bytesMax)
      return new SpoolFull('The spool holds as many bytes as it may.')
    if (this.#queuedBytes + bytes > this.#queuedBytesMax)
      return new SpoolFull('The disk of the spool cannot keep up.')
    return undefined
  }

  /** Newest first: readers mostly request recent records. */
  #segmentOf(id: string): HeldSegment | undefined {
    if (this.#active?.segment.offsets.has(id)) return this.#active.segment
    return this.#sealed.findLast((segment) => segment.offsets.has(id))
  }

  /** Starts with the next event loop iteration, so that requests that arrived together are committed together. */
  #notify(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    setImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    for (;;) {
      // A seal does not wait for the queue, which may never be empty; closing does.
      if (this.#sealing.length > 0 && !(this.#isClosed && this.#queue.length > 0)) {
        const waiting = this.#sealing
        this.#sealing = []
        await this.#endSegment()
        for (const resolve of waiting) resolve()
      } else if (this.#queue.length > 0) {
        await this.#commit()
      } else break
      await new Promise(setImmediate)
    }
    this.#isRunning = false
  }

  /** Writes one group to the disk: all of it is acknowledged, or none. */
  async #commit(): Promise<void> {
    const { segmentBytesMax } = this.#options
    const activeBytes = this.#active?.segment.bytes ?? 0
    if (activeBytes + this.#queue[0]!.bytes > segmentBytesMax) await this.#endSegment()
    const usedBytes = this.#active?.segment.bytes ?? SEGMENT_HEADER.length
    const group = this.#takeGroup(
      Math.min(segmentBytesMax - usedBytes, GROUP_BYTES_MAX - SEGMENT_HEADER.length),
    )
    try {
      this.#active ??= await this.#beginSegment()
      const { segment: activeSegment } = this.#active
      const bytesBefore = activeSegment.bytes
      await this.#active.append(group, this.#groupSpace)
      this.#heldBytes += activeSegment.bytes - bytesBefore
      this.#heldRecords += group.length
      this.#appended.records += group.length
      this.#appended.bytes += activeSegment.bytes - bytesBefore
      this.#forgetQueued(group)
      for (const { resolve } of group) resolve()
    } catch (cause) {
      await this.#abandonSegment()
      this.#forgetQueued(group)
      const failure = failureOf(cause)
      for (const { reject } of group) reject(failure)
    }
  }

  #forgetQueued(group: readonly QueuedRecord[]): void {
    for (const { bytes } of group) this.#queuedBytes -= bytes
    this.#queuedRecords -= group.length
  }

  /** Takes the head of the queue: as many records as fit, but at least one. */
  #takeGroup(roomBytes: number): QueuedRecord[] {
    let bytes = 0
    const end = this.#queue.findIndex((record, index) => {
      bytes += record.bytes
      return index > 0 && bytes > roomBytes
    })
    const group = end < 0 ? this.#queue : this.#queue.slice(0, end)
    this.#queue = end < 0 ? [] : this.#queue.slice(end)
    return group
  }

  /** Keeps segments in the order they began, even if the clock was set back. */
  #beginSegment(): Promise<ActiveSegment> {
    const { folder, isDurable = true } = this.#options
    this.#lastBeganAtMs = Math.max(Date.now(), this.#lastBeganAtMs + 1)
    return ActiveSegment.begin(folder, this.#lastBeganAtMs, isDurable)
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
