/**
 * A bundle: lines of JSON. The first line identifies it; the last has the number of lines before it and the SHA-256 of their
 * bytes, including line feeds. A bundle without that line was truncated.
 */
import { createHash, type Hash } from 'node:crypto'
import type { BundledRow } from '@plumbline/storage/control'

export const bundleVersion = 1

/** One line; `trace` is read by `trace-line.ts`. */
export type BundleLine =
  | { readonly type: 'bundle'; readonly version: number; readonly exportedAt: string }
  | { readonly type: 'row'; readonly table: string; readonly row: BundledRow }
  | { readonly type: 'file'; readonly fileKey: string; readonly base64: string }
  | {
      readonly type: 'trace'
      readonly trace: object
      readonly logs: readonly object[]
      readonly scores: readonly object[]
    }
  | { readonly type: 'end'; readonly lines: number; readonly sha256: string }

/** Counts lines and hashes their bytes. */
export class Seal {
  #lines = 0
  readonly #hash: Hash = createHash('sha256')

  add(line: string | Buffer): void {
    this.#lines += 1
    this.#hash.update(line).update('\n')
  }

  /** The last line, for the lines so far; none can be added afterwards. */
  end(): Extract<BundleLine, { type: 'end' }> {
    return { type: 'end', lines: this.#lines, sha256: this.#hash.digest('hex') }
  }
}
