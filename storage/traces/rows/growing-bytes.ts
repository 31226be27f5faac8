/** A byte buffer that grows at its end. */

const firstBytes = 1024
/** As large as the longest column of a large batch. */
const keptBytesMax = 16 * 1024 * 1024
/** A longer text is measured before it is written, instead of reserving three bytes per character. */
const longText = 16 * 1024
/** Below this, writing characters one by one is faster than a call to the runtime. */
const shortText = 24

export class GrowingBytes {
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  #view = viewOf(this.#bytes)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** A view of the bytes and the spare capacity; replaced whenever the buffer grows. */
  get view(): DataView {
    return this.#view
  }

  /** Reserves bytes at the end and returns their offset. */
  extend(byteCount: number): number {
    const start = this.#length
    this.#reserve(start + byteCount)
    this.#length = start + byteCount
    return start
  }

  truncate(length: number): void {
    this.#length = length
  }

  /** Empties the buffer and keeps its memory unless it is very large: new memory costs a page fault per page. */
  clear(): void {
    this.#length = 0
    if (this.#bytes.length <= keptBytesMax) return
    this.#bytes = Buffer.allocUnsafeSlow(firstBytes)
    this.#view = viewOf(this.#bytes)
  }

  copyTo(target: Buffer, offset: number): number {
    return offset + this.#bytes.copy(target, offset, 0, this.#length)
  }

  /** The bytes, without a copy. */
  take(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Appends a copy of the bytes from `start` to `end`. */
  repeat(start: number, end: number): void {
    const offset = this.extend(end - start)
    this.#bytes.copyWithin(offset, start, end)
  }

  /** Appends the length in bytes and the text as UTF-8; a lone surrogate becomes a replacement character. */
  appendText(text: string): void {
    const units = text.length
    if (units < shortText && this.#appendShort(text)) return
    const mostBytes = units > longText ? Buffer.byteLength(text) : units * 3
    this.#reserve(this.#length + varintBytes(mostBytes) + mostBytes)
    // Nearly all texts are ASCII, whose byte length is known in advance: only a few of the others have to be moved.
    const expected = varintBytes(units)
    const start = this.#length + expected
    const byteCount = this.#bytes.write(text, start)
    const needed = varintBytes(byteCount)
    if (needed !== expected) this.#bytes.copyWithin(this.#length + needed, start, start + byteCount)
    this.#writeVarint(byteCount)
    this.#length += byteCount
  }

  appendVarint(value: number): void {
    this.#reserve(this.#length + varintBytes(value))
    this.#writeVarint(value)
  }

  /** Returns whether all characters are ASCII; otherwise nothing is appended. */
  #appendShort(text: string): boolean {
    const units = text.length
    this.#reserve(this.#length + 1 + units)
    const bytes = this.#bytes
    const start = this.#length + 1
    for (let index = 0; index < units; index++) {
      const unit = text.charCodeAt(index)
      if (unit > 0x7f) return false
      bytes[start + index] = unit
    }
    bytes[start - 1] = units
    this.#length = start + units
    return true
  }

  #writeVarint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  #reserve(byteCount: number): void {
    if (byteCount <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(byteCount, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
    this.#view = viewOf(larger)
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView =>
  new DataView(buffer, byteOffset, byteLength)

/** The length of a number at seven bits per byte. */
function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++
  return bytes
}

/** Reads a number at seven bits per byte, and where it ends. */
export function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let offset = start
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++]!
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end: offset }
  }
}
