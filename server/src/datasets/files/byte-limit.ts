import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { ServiceError } from '@plumbline/contract'

/** Passes bytes on, and counts and hashes them; fails with `file_too_large` beyond the limit. */
export class ByteLimit extends Transform {
  size = 0
  readonly #bytesMax: number
  readonly #hash = createHash('sha256')

  constructor(bytesMax: number) {
    super()
    this.#bytesMax = bytesMax
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    callback: (error: Error | null, chunk?: Buffer) => void,
  ) {
    this.size += chunk.length
    this.#hash.update(chunk)
    if (this.size > this.#bytesMax) callback(new ServiceError('file_too_large', { bytesMax: this.#bytesMax }))
    else callback(null, chunk)
  }

  /** The hash of everything that has passed. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}
