/** What a spool does, whichever of its two sizes it has. */
import type { SpoolFailed, SpoolFull } from './errors.ts'
import type { SegmentSource } from './read-segment.ts'

/** A sealed batch of records: it never changes, but that those go which are stored while others have to wait. */
export interface Segment {
  /** Unique, so that the trace store recognizes a replay. It sorts by the time at which the segment began. */
  readonly id: string
  readonly records: number
  readonly bytes: number
}

/** What is left of a segment. */
export interface WaitingRecords {
  readonly ids: ReadonlySet<string>
  /** The numbers of the shards that they are for. */
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
  /** Whether it is the first with the tag; always false of a tag that is not ordered. */
  readonly isFirst: boolean
}

/** By what other nodes find a record, apart from its id. */
export interface RecordTags {
  readonly tags?: readonly string[]
  /** Tags of which all nodes know the first record: the first that was committed, whichever node it reached. */
  readonly orderedTags?: readonly string[]
}

/** Records that no store accepts, where all nodes keep them; each is a text. */
export interface SharedRejections {
  /** Keeps the records of a batch; a repeated batch changes nothing. */
  keep(batch: string, records: readonly string[]): Promise<void>
  list(): Promise<readonly { readonly batch: string; readonly position: number; readonly record: string }[]>
  remove(batch: string, position: number): Promise<void>
  countBatches(): Promise<number>
}

/**
 * Records that were acknowledged and are not in the trace store yet: in files of the only node (`FileSpool`), or in
 * PostgreSQL, which all nodes share (`SharedSpool`).
 */
export interface Spool {
  /**
   * Resolves when the record is durable. The chunks must not change until then, and an id must be used once. Other
   * nodes find the record by `tags` too. Rejects with `SpoolFull` or `SpoolFailed`.
   */
  append(id: string, payload: readonly Uint8Array[], tags?: RecordTags): Promise<void>
  /** The payload of a record, from when append resolved until its segment is removed. */
  find(id: string): Promise<Buffer | undefined>
  /** Whether other nodes append to it and read it too. */
  readonly isShared: boolean
  /** Tells this process from others that append to it; they are numbered as they begin, and alone it is 0. */
  readonly processNumber: number
  /** Undefined for a spool in files: records that no store accepts are then in files too. */
  readonly rejections: SharedRejections | undefined
  /** Records of any node with a tag, in the order in which they are drained; none of a spool in files. */
  findByTag(tag: string): Promise<readonly TaggedRecord[]>
  /** For each of these ordered tags all tags of its first record, until that is in the trace store. */
  findFirst(tags: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Whether a record is in this node's files. */
  has(id: string): boolean
  /** The ids of records that a previous process left in this node's files, and of its own; oldest first. */
  ids(): Iterable<string>
  /** Seals the active segment, if any; the next append starts another. */
  seal(): Promise<void>
  /** Segments for this node to drain, oldest first. */
  sealed(): readonly Segment[]
  /** From where `readSegment` reads a sealed segment. */
  source(segment: Segment): Promise<SegmentSource>
  /** Removes a segment that is in the trace store. */
  remove(segment: Segment): Promise<void>
  /** Removes all records of a sealed segment but some, which wait for shards of the trace store that are away. */
  reduce(segment: Segment, records: WaitingRecords): Promise<void>
  /** Resolves once what other nodes had acknowledged by now is in the trace store, or in one shard of it. */
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
