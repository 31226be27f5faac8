/**
 * What JSON allows and the service cannot keep: nesting that no reader follows, and numbers that a double cannot hold.
 * Both are looked for in the bytes, in one pass that skips texts, since a walk of the parsed value costs ten times as much.
 */
import { invalid } from '@plumbline/contract'

/** Levels of arrays and objects in one body. */
export const nestingMax = 1000

/** Digits in a row from which a number may be too large for a double. */
const digitsMax = 300

const quote = 0x22
const backslash = 0x5c

/** Throws `invalid_request` for a body that parsed but cannot be kept. */
export function checkJsonText(bytes: Buffer, json: unknown): void {
  let depth = 0
  let digits = 0
  let mayOverflow = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) {
      at = endOfText(bytes, at)
      digits = 0
    } else if (byte >= 0x30 && byte <= 0x39) {
      digits += 1
      if (digits > digitsMax) mayOverflow = true
    } else {
      // An exponent is the only letter that follows a digit.
      if (digits > 0 && (byte | 0x20) === 0x65) mayOverflow = true
      digits = 0
      if (byte === 0x7b || byte === 0x5b) {
        depth += 1
        if (depth > nestingMax) throw invalid('', `must not nest deeper than ${nestingMax} levels`)
      } else if (byte === 0x7d || byte === 0x5d) depth -= 1
    }
  }
  if (mayOverflow) {
    const path = findOverflow(json, '')
    if (path !== undefined) throw invalid(path, 'must be a number that double precision can hold')
  }
}

/** The index of the quote that closes the text opened at `start`. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    at = bytes.indexOf(quote, at + 1)
    if (at < 0) return bytes.length
    let before = at - 1
    while (bytes[before] === backslash) before -= 1
    if ((at - before) % 2 === 1) return at
  }
}

/** The path of the first number that became infinite. The nesting was checked, so recursion is safe. */
function findOverflow(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const found = findOverflow(inner, innerPath)
    if (found !== undefined) return found
  }
  return undefined
}
