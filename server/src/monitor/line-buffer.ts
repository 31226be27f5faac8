/**
 * Lines as bytes, written one after the other. Lines that were kept as strings until the end would outlive the young
 * generation, and copying them there cost the worker more than making them.
 */
export class LineBuffer {
  #bytes: Buffer
  #length = 0

  constructor(expectedBytes: number) {
    // Not of Node's pool, which small buffers share: the bytes can be handed over to another thread.
    this.#bytes = Buffer.allocUnsafeSlow(expectedBytes)
  }

  append(line: string): void {
    // A UTF-16 unit is three bytes of UTF-8 at most.
    const needed = this.#length + line.length * 3
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#length += this.#bytes.write(line, this.#length)
  }

  /** The bytes, which are the buffer's own: nothing may be appended after. */
  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
