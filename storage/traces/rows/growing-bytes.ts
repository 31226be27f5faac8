/** Bytes that grow at their end. */

const firstBytes = 1024
/** As much as the longest column of a large batch. */
const keptBytesMax = 16 * 1024 * 1024
/** A longer text is measured before it is written, rather than given room for three bytes a character. */
const longText = 16 * 1024
/** Below this, writing characters one by one is faster than a call of the runtime. */
const shortText = 24

export class GrowingBytes {
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  #view = viewOf(this.#bytes)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Of the bytes and of the room behind them; another one after each growth. */
  get view(): DataView {
    return this.#view
  }

  /** Makes room for so many bytes at the end, and returns where they begin. */
  extend(byteCount: number): number {
    const start = this.#length
    this.#reserve(start + byteCount)
    this.#length = start + byteCount
    return start
  }

  truncate(length: number): void {
    this.#length = length
  }

  /** Begins anew, in the same room unless that is very large: new room costs a fault of the processor for each page. */
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

  /** A copy of what is there from `start` to `end`, at the end. */
  repeat(start: number, end: number): void {
    const offset = this.extend(end - start)
    this.#bytes.copyWithin(offset, start, end)
  }

  /** UTF-8 behind its length in bytes; half a character, which has no UTF-8, becomes a replacement character. */
  appendText(text: string): void {
    const units = text.length
    if (units < shortText && this.#appendShort(text)) return
    const mostBytes = units > longText ? Buffer.byteLength(text) : units * 3
    this.#reserve(this.#length + varintBytes(mostBytes) + mostBytes)
    // Nearly all texts are ASCII, whose length is known: only others have to be moved, and few of these.
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

  /** Whether all its characters are ASCII; else nothing was appended. */
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

/** Seven bits a byte. */
function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++
  return bytes
}

/** A number of seven bits a byte, and where it ends. */
export function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let offset = start
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++]!
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end: offset }
  }
}
