/** The interface of a spool, for one node or many. */
import type { SpoolFailed, SpoolFull } from './errors.ts'
import type { SegmentSource } from './read-segment.ts'

/** A sealed batch of records. It changes only by losing the records that are stored while others have to wait. */
export interface Segment {
  /** Unique, so that the trace store recognizes a replay. It sorts by the time at which the segment began. */
  readonly id: string
  readonly records: number
  readonly bytes: number
}

/** The remaining records of a segment. */
export interface WaitingRecords {
  readonly ids: ReadonlySet<string>
  /** The numbers of the shards that they wait for. */
  readonly shards: readonly number[]
}

export interface SpoolSize {
  readonly records: number
  readonly bytes: number
  /** Every record that was acknowledged before has left the spool. */
  readonly oldestAt: Date | undefined
}

export interface TaggedRecord {
  readonly id: string
  readonly payload: Buffer
  readonly tags: readonly string[]
  /** Whether it is the first with the tag; always false for a tag that is not ordered. */
  readonly isFirst: boolean
}

/** How other nodes find a record, apart from its id. */
export interface RecordTags {
  readonly tags?: readonly string[]
  /** Tags whose first record is known to all nodes: the first that was committed, on any node. */
  readonly orderedTags?: readonly string[]
}

/** Records that no store accepts, kept where all nodes can read them; each is a text. */
export interface SharedRejections {
  /** Keeps the records of a batch; a repeated batch changes nothing. */
  keep(batch: string, records: readonly string[]): Promise<void>
  list(): Promise<readonly { readonly batch: string; readonly position: number; readonly record: string }[]>
  remove(batch: string, position: number): Promise<void>
  countBatches(): Promise<number>
}

/**
 * Acknowledged records that are not in the trace store yet: in files of a single node (`FileSpool`), or in PostgreSQL,
 * shared by all nodes (`SharedSpool`).
 */
export interface Spool {
  /**
   * Resolves when the record is durable. The chunks must not change until then, and an id must be used once. Other
   * nodes can also find the record by its tags. Rejects with `SpoolFull` or `SpoolFailed`.
   */
  append(id: string, payload: readonly Uint8Array[], tags?: RecordTags): Promise<void>
  /** The payload of a record, from when append resolved until its segment is removed. */
  find(id: string): Promise<Buffer | undefined>
  /** Whether other nodes also append to it and read it. */
  readonly isShared: boolean
  /** Distinguishes the processes that append to it, numbered in the order in which they start; 0 for a single process. */
  readonly processNumber: number
  /** Undefined for a spool in files: records that no store accepts are then in files too. */
  readonly rejections: SharedRejections | undefined
  /** Records of any node with a tag, in the order in which they are drained; always empty for a spool in files. */
  findByTag(tag: string): Promise<readonly TaggedRecord[]>
  /** For each of these ordered tags, all tags of its first record, until that record is in the trace store. */
  findFirst(tags: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Whether a record is in this node's files. */
  has(id: string): boolean
  /** The ids of records that a previous process left in this node's files, and of its own; oldest first. */
  ids(): Iterable<string>
  /** Seals the active segment, if any; the next append starts another. */
  seal(): Promise<void>
  /** Segments for this node to drain, oldest first. */
  sealed(): readonly Segment[]
  /** Where `readSegment` reads a sealed segment from. */
  source(segment: Segment): Promise<SegmentSource>
  /** Removes a segment that is stored in the trace store. */
  remove(segment: Segment): Promise<void>
  /** Removes all records of a sealed segment except those waiting for unreachable shards of the trace store. */
  reduce(segment: Segment, records: WaitingRecords): Promise<void>
  /** Resolves once all records that other nodes have acknowledged so far are in the trace store, or in one shard of it. */
  othersDrained(shard?: number): Promise<void>
  /** Calls `listener` when there are segments of a dead node to drain. */
  onReclaimed(listener: () => void): void
  size(): SpoolSize
  /** What this process has appended. */
  appended(): { readonly records: number; readonly bytes: number }
  /** Why a record could not be kept now, or undefined. */
  problem(): Promise<SpoolFull | SpoolFailed | undefined>
  /** Commits queued records and seals the segment; later appends are rejected. */
  close(): Promise<void>
}
