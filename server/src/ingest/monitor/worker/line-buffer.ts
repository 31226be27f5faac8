/**
 * Collects lines as bytes. Strings kept until the end would outlive the garbage collector's young generation, and
 * copying them cost the worker more time than building them.
 */
export class LineBuffer {
  #bytes: Buffer
  #length = 0

  constructor(expectedBytes: number) {
    // Not from Node's shared pool, so that the bytes can be transferred to another thread.
    this.#bytes = Buffer.allocUnsafeSlow(expectedBytes)
  }

  get length(): number {
    return this.#length
  }

  append(line: string): void {
    // A UTF-16 unit is three bytes of UTF-8 at most.
    const needed = this.#length + line.length * 3
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#length += this.#bytes.write(line, this.#length)
  }

  /** The bytes without a copy; append nothing afterwards. */
  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(extraBytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(extraBytes, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
