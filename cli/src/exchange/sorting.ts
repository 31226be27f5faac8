/**
 * Records sorted by trace on the disk. The observations of a trace may lie anywhere in an export of any size, so the
 * records are dealt into files by the hash of their trace, of which one at a time is held in memory.
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

/** What one file is to hold about. */
const pileBytes = 32 * 1024 * 1024
const pilesMax = 256

interface Dealt extends Part {
  readonly source: string
  readonly id: string
}

/** All records of one trace. */
export interface Pile {
  readonly source: string
  readonly id: string
  readonly parts: readonly Part[]
}

export class Sorting {
  readonly #folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  readonly #piles: number
  readonly #streams = new Map<string, WriteStream>()

  constructor(bytes: number) {
    this.#piles = Math.min(pilesMax, Math.max(1, Math.ceil(bytes / pileBytes)))
  }

  /** Keeps a record of a trace. */
  async addPart(source: string, id: string, part: Part): Promise<void> {
    const digest = createHash('sha256').update(`${source} ${id}`).digest()
    await this.#add(`pile-${digest.readUInt32LE() % this.#piles}`, { source, id, ...part } satisfies Dealt)
  }

  /** Keeps anything under a name of its own, in the order in which it comes. */
  add(name: string, value: object): Promise<void> {
    return this.#add(`list-${Buffer.from(name).toString('hex')}`, value)
  }

  async #add(name: string, value: object): Promise<void> {
    let stream = this.#streams.get(name)
    if (stream === undefined) {
      stream = createWriteStream(join(this.#folder, name))
      this.#streams.set(name, stream)
    }
    if (!stream.write(`${JSON.stringify(value)}\n`)) await once(stream, 'drain')
  }

  /** Ends the writing; only then can be read. */
  async end(): Promise<void> {
    await Promise.all([...this.#streams.values()].map((stream) => finished(stream.end())))
  }

  async *piles(): AsyncGenerator<Pile> {
    for (const name of [...this.#streams.keys()].filter((each) => each.startsWith('pile-'))) {
      const piles = new Map<string, { source: string; id: string; parts: Part[] }>()
      for await (const line of this.#lines(name)) {
        const { source, id, kind, record } = JSON.parse(line) as Dealt
        const key = `${source} ${id}`
        const pile = piles.get(key) ?? { source, id, parts: [] }
        piles.set(key, pile)
        pile.parts.push({ kind, record })
      }
      yield* piles.values()
    }
  }

  async *list<Value>(name: string): AsyncGenerator<Value> {
    const file = `list-${Buffer.from(name).toString('hex')}`
    if (!this.#streams.has(file)) return
    // Safe: whoever reads a list wrote it.
    for await (const line of this.#lines(file)) yield JSON.parse(line) as Value
  }

  #lines(name: string): AsyncGenerator<string> {
    return readLines(asText(createReadStream(join(this.#folder, name))))
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
