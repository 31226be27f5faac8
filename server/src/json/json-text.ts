/**
 * What JSON allows and the service cannot keep: nesting that no reader follows, and numbers that a double cannot hold.
 * Both are looked for in the bytes, in one pass that skips texts, since a walk of the parsed value costs ten times as
 * much. The pass comes before the parser, which takes a second for 16 MiB of brackets.
 */
import { getHeapStatistics } from 'node:v8'
import { invalid } from '@plumbline/contract/errors'
import { isKey } from '@plumbline/storage/parse-json-text'

/** Levels of arrays and objects in one body. */
const nestingMax = 1000

/** What a parsed array or object takes at worst, while it is validated and recorded, and as much for everything else. */
const containerHeapBytes = 400

/**
 * Arrays and objects in one body: an engine whose heap is full ends the process. Only where it has less than 2 GB can a
 * body of 16 MiB have more, of which three bytes make one.
 */
export const containersMaxOfProcess = Math.floor(getHeapStatistics().heap_size_limit / containerHeapBytes)

/** Digits in a row from which a number may be too large for a double. */
const digitsMax = 300

const quote = 0x22
const backslash = 0x5c

/** A pass over the bytes of JSON, in as many steps as the caller likes. */
export class JsonScan {
  readonly #bytes: Buffer
  #at = 0
  #depth = 0
  #containers = 0
  readonly #containersMax: number
  #digits = 0
  /** Where the next escape is, or one that the pass is past. */
  #escapeAt: number
  /** Whether a number may be too large for a double. */
  mayOverflow = false
  /** Whether a key may have an escape. */
  hasEscapedKey = false

  constructor(bytes: Buffer, containersMax = containersMaxOfProcess) {
    this.#bytes = bytes
    this.#escapeAt = nextEscape(bytes, 0)
    this.#containersMax = containersMax
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Looks at the next bytes; throws `invalid_request` where they nest too deep, or have too many arrays and objects. */
  advance(byteCount: number): void {
    const bytes = this.#bytes
    const end = Math.min(bytes.length, this.#at + byteCount)
    let [index, depth, digits, mayOverflow] = [this.#at, this.#depth, this.#digits, this.mayOverflow]
    let [containers, escapeAt] = [this.#containers, this.#escapeAt]
    for (; index < end; index++) {
      const byte = bytes[index] as number
      if (byte === quote) {
        const start = index
        index = endOfText(bytes, start)
        digits = 0
        // Of the keys behind an escape, each looks for the next one.
        if (escapeAt < index && isKey(bytes, index)) {
          if (escapeAt < start) escapeAt = nextEscape(bytes, start)
          if (escapeAt < index) this.hasEscapedKey = true
        }
      } else if (byte >= 0x30 && byte <= 0x39) {
        digits += 1
        if (digits > digitsMax) mayOverflow = true
      } else {
        // An exponent is the only letter that follows a digit.
        if (digits > 0 && (byte | 0x20) === 0x65) mayOverflow = true
        digits = 0
        if (byte === 0x7b || byte === 0x5b) {
          depth += 1
          containers += 1
          if (depth > nestingMax) throw invalid('', `must not nest deeper than ${nestingMax} levels`)
        } else if (byte === 0x7d || byte === 0x5d) depth -= 1
      }
    }
    this.#at = index
    this.#depth = depth
    this.#containers = containers
    this.#escapeAt = escapeAt
    this.#digits = digits
    this.mayOverflow = mayOverflow
    if (containers > this.#containersMax)
      throw invalid(
        '',
        `must not have more than ${this.#containersMax} arrays and objects: the service has no memory for more`,
      )
  }
}

function nextEscape(bytes: Buffer, start: number): number {
  const index = bytes.indexOf(backslash, start)
  return index < 0 ? Number.POSITIVE_INFINITY : index
}

/** Looks at all of a text; throws `invalid_request` where it nests too deep. */
export function scanJson(bytes: Buffer): JsonScan {
  const scan = new JsonScan(bytes)
  scan.advance(bytes.length)
  return scan
}

/** Throws `invalid_request` where a number of a value became infinite. Its nesting was checked, so recursion is safe. */
export function refuseOverflow(value: unknown, path: string): void {
  const overflow = findOverflow(value, path)
  if (overflow !== undefined) throw invalid(overflow, 'must be a number that double precision can hold')
}

/** A call of the runtime costs as much as reading this number of bytes, and most texts are keys. */
const shortText = 24

/** The index of the quote that closes the text opened at `start`, or the end where none does. */
export function endOfText(bytes: Buffer, start: number): number {
  const end = Math.min(bytes.length, start + shortText)
  let index = start
  for (let next = start + 1; next < end; next++) {
    const byte = bytes[next]
    if (byte === quote) return next
    if (byte === backslash) break
    index = next
  }
  for (;;) {
    index = bytes.indexOf(quote, index + 1)
    if (index < 0) return bytes.length
    let before = index - 1
    while (bytes[before] === backslash) before -= 1
    if ((index - before) % 2 === 1) return index
  }
}

function findOverflow(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const overflow = findOverflow(inner, pathWithin(path, key, Array.isArray(value)))
    if (overflow !== undefined) return overflow
  }
  return undefined
}

/** The path of a member of the value at `path`. */
export const pathWithin = (path: string, key: string | number, isArray: boolean): string =>
  isArray ? `${path}[${key}]` : path === '' ? String(key) : `${path}.${key}`
