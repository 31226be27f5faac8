import { ID_BYTES_MAX, RECORD_HEADER_BYTES } from './format.ts'

/** A record waiting for its commit; `bytes` includes its header. */
export interface QueuedRecord {
  readonly id: string
  readonly payload: readonly Uint8Array[]
  readonly tags: readonly string[]
  /** The tags for which the first record is tracked. */
  readonly orderedTags: readonly string[]
  readonly bytes: number
}

interface Waiting extends QueuedRecord {
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

interface CommitQueueOptions {
  /** Takes a group from the queue and makes it durable. Called repeatedly until the queue is empty. */
  readonly commit: () => Promise<void>
  readonly endSegment: () => Promise<void>
}

/**
 * Records queued during one commit become durable with the next, so that one sync covers them all. A single loop
 * commits and ends segments, so a segment never ends in the middle of a commit.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions
  #records: Waiting[] = []
  #sealing: (() => void)[] = []
  #isRunning = false
  #isClosed = false
  readonly committedCounts = { records: 0, bytes: 0 }
  /** The bytes of uncommitted records. */
  bytes = 0
  /** The number of uncommitted records. */
  count = 0

  constructor(options: CommitQueueOptions) {
    this.#options = options
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The bytes of the first record. */
  get nextBytes(): number {
    return this.#records[0]!.bytes
  }

  push(record: QueuedRecord): Promise<void> {
    this.bytes += record.bytes
    this.count++
    return new Promise((resolve, reject) => {
      this.#records.push({ ...record, resolve, reject })
      this.#notify()
    })
  }

  /** Takes the head of the queue: as many records as fit, but at least one. */
  take(roomBytes: number): readonly Waiting[] {
    let bytes = 0
    const end = this.#records.findIndex((record, index) => {
      bytes += record.bytes
      return index > 0 && bytes > roomBytes
    })
    const group = end < 0 ? this.#records : this.#records.slice(0, end)
    this.#records = end < 0 ? [] : this.#records.slice(end)
    return group
  }

  resolve(group: readonly Waiting[]): void {
    this.#forget(group)
    for (const { bytes, resolve } of group) {
      this.committedCounts.records++
      this.committedCounts.bytes += bytes
      resolve()
    }
  }

  reject(group: readonly Waiting[], reason: Error): void {
    this.#forget(group)
    for (const { reject } of group) reject(reason)
  }

  seal(): Promise<void> {
    return new Promise((resolve) => {
      this.#sealing.push(resolve)
      this.#notify()
    })
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.seal()
  }

  #forget(group: readonly Waiting[]): void {
    for (const { bytes } of group) this.bytes -= bytes
    this.count -= group.length
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
      if (this.#sealing.length > 0 && !(this.#isClosed && this.#records.length > 0)) {
        const waiting = this.#sealing
        this.#sealing = []
        await this.#options.endSegment()
        for (const resolve of waiting) resolve()
      } else if (this.#records.length > 0) {
        await this.#options.commit()
      } else break
      await new Promise(setImmediate)
    }
    this.#isRunning = false
  }
}

/** The bytes of a record in a segment. Throws a `RangeError` for an id that is too long. */
export function recordBytes(id: string, payload: readonly Uint8Array[]): number {
  const idBytes = Buffer.byteLength(id)
  if (idBytes > ID_BYTES_MAX) throw new RangeError(`An id has at most ${ID_BYTES_MAX} bytes.`)
  let bytes = RECORD_HEADER_BYTES + idBytes
  for (const chunk of payload) bytes += chunk.length
  return bytes
}
