/**
 * What JSON allows and the service cannot store: nesting too deep for any reader, and numbers that do not fit in a double.
 * Both are found in one pass over the bytes that skips strings, since walking the parsed value costs ten times as much. The
 * pass comes before the parser, which takes a second for 16 MiB of brackets.
 */
import { getHeapStatistics } from 'node:v8'
import { invalid } from '@plumbline/contract/errors'
import { isKey } from '@plumbline/storage/parse-json-text'

/** Nesting levels of arrays and objects in one body. */
const nestingMax = 1000

/** What a parsed array or object needs at worst while it is validated and recorded, plus the same for everything else. */
const containerHeapBytes = 400

/**
 * Arrays and objects in one body: a full heap ends the process. Each takes at least three bytes, so a body of 16 MiB can
 * exceed this only if the heap is smaller than 2 GB.
 */
export const containersMaxOfProcess = Math.floor(getHeapStatistics().heap_size_limit / containerHeapBytes)

/** From this many digits in a row, a number may be too large for a double. */
const digitsMax = 300

const quote = 0x22
const backslash = 0x5c

/** A pass over the bytes of JSON, in as many steps as the caller wants. */
export class JsonScan {
  readonly #bytes: Buffer
  #at = 0
  #depth = 0
  #containers = 0
  readonly #containersMax: number
  #digits = 0
  /** The position of the next escape, or of one already passed. */
  #escapeAt: number
  /** Whether a number may be too large for a double. */
  mayOverflow = false
  /** Whether a key may contain an escape. */
  hasEscapedKey = false

  constructor(bytes: Buffer, containersMax = containersMaxOfProcess) {
    this.#bytes = bytes
    this.#escapeAt = nextEscape(bytes, 0)
    this.#containersMax = containersMax
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** Scans the next bytes; throws `invalid_request` if they nest too deep, or have too many arrays and objects. */
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
        // Only the first key after an escape searches for the next escape.
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

/** Scans a whole text; throws `invalid_request` if it nests too deep. */
export function scanJson(bytes: Buffer): JsonScan {
  const scan = new JsonScan(bytes)
  scan.advance(bytes.length)
  return scan
}

/** Throws `invalid_request` if a number in the value became infinite. The nesting was checked, so recursion is safe. */
export function refuseOverflow(value: unknown, path: string): void {
  const overflow = findOverflow(value, path)
  if (overflow !== undefined) throw invalid(overflow, 'must be a number that double precision can hold')
}

/** A native call costs as much as reading this many bytes, and most strings are keys. */
const shortText = 24

/** The index of the quote that closes the string opened at `start`, or the end if there is none. */
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
