import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CommitQueue, type QueuedRecord, recordBytes } from '../commit-queue.ts'
import { SpoolFailed, SpoolFull } from '../errors.ts'
import { markerOf, newSegmentId, readStartTime, recordAt, SEGMENT_HEADER, writeRecord } from '../format.ts'
import type { SegmentSource } from '../read-segment.ts'
import type {
  RecordTags,
  Segment,
  SharedRejections,
  Spool,
  SpoolSize,
  TaggedRecord,
  WaitingRecords,
} from '../spool.ts'
import { type SharedSegments, type StoredRecord, sharedSegments } from './shared-segments.ts'

export interface SharedSpoolOptions {
  readonly url: string
  /** Above these totals over all nodes, appends are rejected with `SpoolFull`. */
  readonly bytesMax: number
  readonly recordsMax: number
  readonly segmentBytesMax: number
  /** Called when the lease could not be renewed. */
  readonly onProblem?: (error: unknown) => void
}

interface OwnSegment {
  readonly id: string
  records: number
  bytes: number
  /** The groups as written; dropped when they use too much memory. */
  groups: Buffer[] | undefined
  /** The shards that the remaining records wait for; undefined for a complete segment. */
  shards?: readonly number[]
}

const GROUP_BYTES_MAX = 4 * 1024 * 1024
/** Limits the segments of this process that are kept in memory, to be drained without reading them back. */
const KEPT_BYTES_MAX = 48 * 1024 * 1024
const QUEUED_BYTES_MAX = 64 * 1024 * 1024
/** Larger than most records. */
const PROBE_BYTES = 64 * 1024
const RENEW_EVERY_MS = 3_000
const DRAINED_POLL_MS = 100

/** Connects, creates the tables if needed, and takes a lease. */
export async function openSharedSpool(options: SharedSpoolOptions): Promise<SharedSpool> {
  const segments = sharedSegments(options.url)
  try {
    await segments.createTables()
    const spool = new SharedSpool(options, segments, await segments.nextProcessNumber())
    await spool.renew()
    return spool
  } catch (error) {
    await segments.close()
    throw error
  }
}

/**
 * The spool of many nodes, in PostgreSQL: a record is durable without the disk of the node that acknowledged it, and
 * every node can read it at once. A process drains the segments it wrote; the others drain the segments of a process
 * whose lease has expired.
 */
export class SharedSpool implements Spool {
  readonly isShared = true
  readonly processNumber: number
  readonly rejections: SharedRejections
  readonly #options: SharedSpoolOptions
  readonly #segments: SharedSegments
  /** Unique to this process: after a restart the new process reclaims the old one's segments like any other's. */
  readonly #owner = randomUUID()
  readonly #queue = new CommitQueue({ commit: () => this.#commit(), endSegment: () => this.#endSegment() })
  #active: OwnSegment | undefined
  #sealed: OwnSegment[] = []
  /** The segments that are being created or sealed. */
  readonly #changing = new Set<string>()
  #lastId = ''
  #lastBeganAtMs = 0
  #others = { records: 0, bytes: 0, oldestAt: undefined as Date | undefined, readAt: new Date(0) }
  readonly #timer: NodeJS.Timeout
  #notify = (): void => {}

  constructor(options: SharedSpoolOptions, segments: SharedSegments, processNumber: number) {
    this.processNumber = processNumber
    this.#options = options
    this.#segments = segments
    this.rejections = segments.rejections
    this.#timer = setInterval(() => {
      this.renew().catch((error: unknown) => options.onProblem?.(error))
    }, RENEW_EVERY_MS).unref()
  }

  /** Renews the lease, reclaims the segments of dead processes and its own lost ones, and counts the records of others. */
  async renew(): Promise<void> {
    await this.#segments.renewLease(this.#owner)
    const knownIds = [...this.#sealed.map(({ id }) => id), ...this.#changing]
    if (this.#active !== undefined) knownIds.push(this.#active.id)
    const segments = await this.#segments.reclaim(this.#owner, { knownIds, lastId: this.#lastId })
    const reclaimed = segments.filter(({ id }) => !this.#sealed.some((segment) => segment.id === id))
    if (reclaimed.length > 0) {
      this.#sealed.push(...reclaimed.map((segment) => ({ ...segment, groups: undefined })))
      this.#sealed.sort((first, second) => (first.id < second.id ? -1 : 1))
      this.#notify()
    }
    const readAt = new Date()
    const { records, bytes, oldestId } = await this.#segments.totalsOfOthers(this.#owner)
    const oldestAt = oldestId === null ? undefined : readStartTime(oldestId)
    this.#others = { records, bytes, oldestAt, readAt }
  }

  async append(
    id: string,
    payload: readonly Uint8Array[],
    { tags = [], orderedTags = [] }: RecordTags = {},
  ): Promise<void> {
    const bytes = recordBytes(id, payload)
    const rejection = this.#rejectionFor(bytes)
    if (rejection !== undefined) throw rejection
    await this.#queue.push({ id, payload, tags: [...tags, ...orderedTags], orderedTags, bytes })
  }

  async find(id: string): Promise<Buffer | undefined> {
    const row = await this.#segments.find(id)
    return row && payloadOf(row)
  }

  async findByTag(tag: string): Promise<TaggedRecord[]> {
    const rows = await this.#segments.findByTag(tag)
    return rows.map((row) => ({
      id: row.id,
      tags: row.tags,
      payload: payloadOf(row),
      isFirst: row.is_first,
    }))
  }

  async findFirst(tags: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.#segments.findFirst(tags)
    return new Map(rows.map(({ tag, tags: all }) => [tag, all]))
  }

  /** No record is in files. */
  has(): boolean {
    return false
  }

  /** None: every record is visible to all processes. */
  *ids(): Iterable<string> {}

  seal(): Promise<void> {
    return this.#queue.seal()
  }

  sealed(): readonly Segment[] {
    return this.#sealed.map(({ id, records, bytes }) => ({ id, records, bytes }))
  }

  async source({ id }: Segment): Promise<SegmentSource> {
    const own = this.#sealed.find((segment) => segment.id === id)
    const records = own?.groups ?? (await this.#segments.records(id)).map(({ record }) => record)
    return { id, contents: Buffer.concat([SEGMENT_HEADER, ...records]) }
  }

  async remove({ id }: Segment): Promise<void> {
    try {
      await this.#segments.remove(id)
    } catch (cause) {
      throw new SpoolFailed('A segment of the spool could not be removed.', { cause })
    }
    this.#sealed = this.#sealed.filter((segment) => segment.id !== id)
  }

  async reduce({ id }: Segment, waitingRecords: WaitingRecords): Promise<void> {
    try {
      const left = await this.#segments.reduce(id, waitingRecords)
      const own = this.#sealed.find((segment) => segment.id === id)
      if (own !== undefined) Object.assign(own, left, { groups: undefined, shards: waitingRecords.shards })
    } catch (cause) {
      throw new SpoolFailed('A segment of the spool could not be reduced.', { cause })
    }
  }

  /**
   * Resolves once all records that other processes have acknowledged so far are in the trace store, or in one shard of
   * it.
   */
  async othersDrained(shard?: number): Promise<void> {
    let waiting = new Set(await this.#segments.idsOfOthers(this.#owner, shard))
    while (waiting.size > 0) {
      await pause(DRAINED_POLL_MS)
      const remainingIds = new Set(await this.#segments.idsOfOthers(this.#owner, shard))
      // Segments that this process reclaimed meanwhile are its own to drain.
      for (const { id, shards } of this.#sealed)
        if (shard === undefined || shards === undefined || shards.includes(shard)) remainingIds.add(id)
      waiting = waiting.intersection(remainingIds)
    }
  }

  onReclaimed(listener: () => void): void {
    this.#notify = listener
  }

  appended(): { readonly records: number; readonly bytes: number } {
    return this.#queue.committedCounts
  }

  size(): SpoolSize {
    const own = this.#active === undefined ? this.#sealed : [...this.#sealed, this.#active]
    const { records, bytes, oldestAt, readAt } = this.#others
    const oldestOwnAt = own[0] && readStartTime(own[0].id)
    // Records that another node accepted after the last reading are younger than that.
    const oldestOfOthers = oldestAt ?? readAt
    return {
      records: own.reduce((sum, segment) => sum + segment.records, records),
      bytes: own.reduce((sum, segment) => sum + segment.bytes, bytes),
      oldestAt: oldestOwnAt === undefined || oldestOfOthers < oldestOwnAt ? oldestOfOthers : oldestOwnAt,
    }
  }

  async problem(): Promise<SpoolFull | SpoolFailed | undefined> {
    const rejection = this.#rejectionFor(PROBE_BYTES)
    if (rejection !== undefined) return rejection
    try {
      await this.#segments.renewLease(this.#owner)
      return undefined
    } catch (cause) {
      return failureOf(cause)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#queue.close()
    // Other processes then reclaim at once what this one has not drained.
    await this.#segments.endLease(this.#owner).catch(() => undefined)
    await this.#segments.close()
  }

  #rejectionFor(bytes: number): SpoolFull | SpoolFailed | undefined {
    const size = this.size()
    if (this.#queue.isClosed) return new SpoolFailed('The spool is closed.')
    if (size.records + this.#queue.count >= this.#options.recordsMax)
      return new SpoolFull('The spool has reached its maximum number of records.')
    if (size.bytes + this.#queue.bytes + bytes > this.#options.bytesMax)
      return new SpoolFull('The spool has reached its maximum size.')
    if (this.#queue.bytes + bytes > QUEUED_BYTES_MAX)
      return new SpoolFull('The spool database cannot keep up.')
    return undefined
  }

  /** Writes one group: either all of it is acknowledged or none. */
  async #commit(): Promise<void> {
    const { segmentBytesMax } = this.#options
    const usedBytes = this.#active?.bytes ?? 0
    if (usedBytes > 0 && usedBytes + this.#queue.nextBytes > segmentBytesMax) await this.#endSegment()
    const room = Math.min(segmentBytesMax - (this.#active?.bytes ?? 0), GROUP_BYTES_MAX)
    const group = this.#queue.take(room)
    try {
      // If this process did not renew its lease in time, another one has the segment: try once more with a new segment.
      if (!(await this.#append(group)) && !(await this.#append(group)))
        throw new Error('Another process took over a segment that had just begun.')
      this.#queue.resolve(group)
    } catch (cause) {
      // Only the database knows whether the group was stored: the next renewal finds it there.
      this.#active = undefined
      this.#queue.reject(group, failureOf(cause))
    }
  }

  async #append(group: readonly QueuedRecord[]): Promise<boolean> {
    this.#active ??= await this.#beginSegment()
    const active = this.#active
    const columns = columnsOf(group, markerOf(active.id))
    const appended = await this.#segments.append({
      segmentId: active.id,
      owner: this.#owner,
      firstPosition: active.records,
      ...columns,
    })
    if (!appended) {
      this.#active = undefined
      return false
    }
    active.records += group.length
    active.bytes += columns.bytes.length
    active.groups?.push(columns.bytes)
    return true
  }

  /** Keeps segments in the order in which they began, even if the clock was set back. */
  async #beginSegment(): Promise<OwnSegment> {
    this.#lastBeganAtMs = Math.max(Date.now(), this.#lastBeganAtMs + 1)
    const id = newSegmentId(this.#lastBeganAtMs)
    this.#lastId = id
    await this.#whileChanging(id, () => this.#segments.begin(id, this.#owner))
    const keptBytes = this.#sealed.reduce(
      (sum, { groups, bytes }) => sum + (groups === undefined ? 0 : bytes),
      0,
    )
    return { id, records: 0, bytes: 0, groups: keptBytes < KEPT_BYTES_MAX ? [] : undefined }
  }

  async #endSegment(): Promise<void> {
    const active = this.#active
    if (active === undefined) return
    this.#active = undefined
    try {
      const seal = () => this.#segments.seal(active.id, this.#owner, active)
      if (await this.#whileChanging(active.id, seal)) this.#sealed.push(active)
    } catch {
      // The records are durable and no append follows, so the segment can be drained unsealed.
      this.#sealed.push(active)
    }
  }

  async #whileChanging<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    this.#changing.add(id)
    return change().finally(() => this.#changing.delete(id))
  }
}

/** Does not occur in tags. */
const tagSeparator = '\u001f'

/** The statement columns of a group: one copy of each record. */
function columnsOf(group: readonly QueuedRecord[], marker: Buffer) {
  const bytes = Buffer.allocUnsafe(group.reduce((sum, record) => sum + record.bytes, 0))
  const starts: number[] = []
  let position = 0
  for (const { id, payload } of group) {
    starts.push(position + 1)
    position = writeRecord(bytes, position, marker, id, payload)
  }
  return {
    bytes,
    starts,
    ids: group.map(({ id }) => id),
    lengths: group.map((record) => record.bytes),
    tags: group.map(({ tags }) => tags.join(tagSeparator)),
    orderedTags: group.map(({ orderedTags }) => orderedTags.join(tagSeparator)),
  }
}

function payloadOf({ record, segment_id }: StoredRecord): Buffer {
  const intact = recordAt(record, 0, markerOf(segment_id))
  if (intact === undefined) throw new SpoolFailed('A record of the spool is damaged.')
  return intact.payload
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: 53100 is a full disk. */
function failureOf(cause: unknown): SpoolFull | SpoolFailed {
  const error = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === '53100') return new SpoolFull('The disk of the database is full.', { cause })
  return new SpoolFailed('The spool in PostgreSQL could not be written.', { cause })
}
