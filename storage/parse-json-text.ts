/**
 * Parses JSON with the exact keys of the caller. The engine of Node 24 may confuse a key that has an escape with
 * another key it has seen before (nodejs/node#63785): it compares the text of the escape with keys that contain a
 * backslash. So texts with such keys are read key by key. They are rare; all other texts are parsed by the engine.
 */

/** Like `JSON.parse`, with the keys exactly as written. */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes('\\') && hasEscapedKey(Buffer.from(text)) ? new Reader(text).read() : value
}

/** The same for bytes, with or without a byte order mark. */
export function parseJsonBytes(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const value: unknown = JSON.parse(json)
  return hasEscapedKey(bytes) ? new Reader(json).read() : value
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Whether the text that ends with the quote at `end` is a key. */
export function isKey(bytes: Uint8Array, end: number): boolean {
  let next = end + 1
  while (isSpace(bytes[next])) next += 1
  return bytes[next] === colon
}

/** A call to the runtime costs as much as checking this many bytes. */
const windowBytes = 64

/** Whether a key has an escape; checks only strings that contain one. */
function hasEscapedKey(bytes: Buffer): boolean {
  let escapeAt = bytes.indexOf(backslash)
  while (escapeAt >= 0) {
    const end = endOfText(bytes, escapeAt)
    if (isKey(bytes, end)) return true
    escapeAt = bytes.indexOf(backslash, end + 1)
  }
  return false
}

/**
 * The index of the quote that closes the string with an escape at `start`, or the end of the bytes if there is none. If
 * quotes are dense, as in JSON inside a string, checking each byte is cheaper than searching for each quote.
 */
function endOfText(bytes: Buffer, start: number): number {
  let index = start
  while (index < bytes.length) {
    const windowEnd = Math.min(bytes.length, index + windowBytes)
    let hasQuote = false
    for (; index < windowEnd; index++) {
      const byte = bytes[index]
      if (byte === quote) return index
      if (byte === backslash) {
        index += 1
        if (bytes[index] === quote) hasQuote = true
      }
    }
    if (hasQuote) continue
    const end = bytes.indexOf(quote, index)
    if (end < 0) break
    let before = end - 1
    while (before >= index && bytes[before] === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
    index = end + 1
  }
  return bytes.length
}

/** Reads valid JSON. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): unknown {
    this.#skipSpace()
    const first = this.#text[this.#at]
    if (first === '{') return this.#object()
    if (first === '[') return this.#array()
    return first === '"' ? this.#string() : this.#scalar()
  }

  #object(): object {
    const fields = {}
    this.#at += 1
    while (!this.#isAtEnd('}')) {
      const key = this.#string()
      this.#skipSpace()
      // The colon.
      this.#at += 1
      defineField(fields, key, this.read())
    }
    return fields
  }

  #array(): unknown[] {
    const items: unknown[] = []
    this.#at += 1
    while (!this.#isAtEnd(']')) items.push(this.read())
    return items
  }

  /** Moves past the closing bracket, or to the next member. */
  #isAtEnd(close: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] === ',') {
      this.#at += 1
      this.#skipSpace()
    }
    if (this.#text[this.#at] !== close) return false
    this.#at += 1
    return true
  }

  #string(): string {
    const start = this.#at
    const plain = this.#text.slice(start + 1, this.#text.indexOf('"', start + 1))
    if (!plain.includes('\\')) {
      this.#at = start + plain.length + 2
      return plain
    }
    do this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    while (this.#text[this.#at] !== '"')
    this.#at += 1
    // Safe: a token that begins with a quote is a string.
    return JSON.parse(this.#text.slice(start, this.#at)) as string
  }

  #scalar(): unknown {
    const start = this.#at
    while (this.#at < this.#text.length && !',]} \n\r\t'.includes(this.#text[this.#at]!)) this.#at += 1
    return JSON.parse(this.#text.slice(start, this.#at))
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1
  }
}

/** Sets a field as `JSON.parse` does: `__proto__` is a field like any other. */
export function defineField(fields: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true })
  else (fields as Record<string, unknown>)[key] = value
}
