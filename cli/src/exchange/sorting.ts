/**
 * Groups records by trace on disk. The records of a trace may be anywhere in an export of any size, so they are
 * partitioned into files by the hash of their trace id, and only one file at a time is loaded into memory.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, type WriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Part } from '@plumbline/sdk/import'
import { readLines } from '../datasets/formats.ts'
import { asText } from '../download.ts'

/** Approximate size of one file. */
const bucketBytes = 32 * 1024 * 1024
const bucketsMax = 256

interface StoredPart extends Part {
  readonly source: string
  readonly id: string
  readonly spanId?: string
}

/** A hash, since a name may be too long for a file name, and have any characters. */
const listFile = (name: string): string => `list-${createHash('sha256').update(name).digest('hex')}`

/** All records of one trace. */
export interface TraceRecords {
  readonly source: string
  readonly id: string
  readonly parts: readonly Part[]
}

export class RecordSorter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  readonly #bucketCount: number
  readonly #streams = new Map<string, WriteStream>()
  /** Parts that name a span but not its trace. They are few compared with the spans, so they are kept in memory. */
  readonly #looseParts = new Map<string, Part[]>()
  readonly #claimedSpans = new Set<string>()

  constructor(bytes: number) {
    this.#bucketCount = Math.min(bucketsMax, Math.max(1, Math.ceil(bytes / bucketBytes)))
  }

  /** Stores a record of a trace. */
  async addPart(source: string, id: string, part: Part & { readonly spanId?: string }): Promise<void> {
    const digest = createHash('sha256').update(`${source} ${id}`).digest()
    await this.#add(`bucket-${digest.readUInt32LE() % this.#bucketCount}`, {
      source,
      id,
      ...part,
    } satisfies StoredPart)
  }

  /** Stores a record of the trace that has this span. */
  addLoosePart(source: string, spanId: string, part: Part): void {
    const key = `${source} ${spanId}`
    this.#looseParts.set(key, [...(this.#looseParts.get(key) ?? []), part])
  }

  /** The number of such parts without a span; known once the traces have been read. */
  get unclaimedCount(): number {
    const unclaimed = [...this.#looseParts].filter(([key]) => !this.#claimedSpans.has(key))
    return unclaimed.reduce((sum, [, parts]) => sum + parts.length, 0)
  }

  /** Appends a value to a named list. */
  add(name: string, value: object): Promise<void> {
    return this.#add(listFile(name), value)
  }

  async #add(name: string, value: object): Promise<void> {
    let stream = this.#streams.get(name)
    if (stream === undefined) {
      stream = createWriteStream(join(this.#folder, name))
      this.#streams.set(name, stream)
    }
    if (!stream.write(`${JSON.stringify(value)}\n`)) await once(stream, 'drain')
  }

  /** Flushes the files; reading is possible only afterwards. */
  async end(): Promise<void> {
    await Promise.all([...this.#streams.values()].map((stream) => finished(stream.end())))
  }

  async *readTraces(): AsyncGenerator<TraceRecords> {
    for (const name of [...this.#streams.keys()].filter((each) => each.startsWith('bucket-'))) {
      const traces = new Map<string, { source: string; id: string; parts: Part[] }>()
      for await (const line of this.#readLines(name)) {
        const { source, id, kind, record, spanId } = JSON.parse(line) as StoredPart
        const key = `${source} ${id}`
        const trace = traces.get(key) ?? { source, id, parts: [] }
        traces.set(key, trace)
        trace.parts.push({ kind, record }, ...this.#claim(source, spanId))
      }
      yield* traces.values()
    }
  }

  #claim(source: string, spanId: string | undefined): readonly Part[] {
    const key = `${source} ${spanId}`
    const parts = this.#looseParts.get(key) ?? []
    if (parts.length > 0) this.#claimedSpans.add(key)
    return parts
  }

  async *readList<Value>(name: string): AsyncGenerator<Value> {
    const file = listFile(name)
    if (!this.#streams.has(file)) return
    // Safe: callers read only lists that they wrote.
    for await (const line of this.#readLines(file)) yield JSON.parse(line) as Value
  }

  #readLines(name: string): AsyncGenerator<string> {
    return readLines(asText(createReadStream(join(this.#folder, name))))
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
