/**
 * JSON bodies. Small ones are parsed at once. The parser takes a second or more for 16 MiB of small objects, so large ones
 * are parsed in slices, and requests are served in between. A worker thread would not help: transferring the value takes
 * this thread longer than parsing it.
 */
import { isUtf8 } from 'node:buffer'
import { setImmediate as serveRequests } from 'node:timers/promises'
import { ServiceError } from '@plumbline/contract/errors'
import { defineField, parseJsonText } from '@plumbline/storage/parse-json-text'
import { endOfText, JsonScan, pathWithin, refuseOverflow, scanJson } from './json-text.ts'
import { TimeSlice } from './time-slice.ts'

/** Larger bodies are parsed in slices. */
export const parsedAtOnceMax = 1024 * 1024

/** Bytes to parse before yielding to requests, unless a single string is longer: a few milliseconds. */
const sliceBytesMax = 64 * 1024

/** The value of a JSON body; throws `malformed_json`, and `invalid_request` for values that cannot be stored. */
export function parseJson(bytes: Buffer): unknown {
  const body = withoutMark(bytes)
  const { mayOverflow, hasEscapedKey } = scanJson(body)
  const json = parseAtOnce(body.toString('utf8'), hasEscapedKey ? parseJsonText : JSON.parse)
  if (mayOverflow) refuseOverflow(json, '')
  return json
}

/** The same for a large body; requests are served meanwhile. */
export async function parseJsonInSlices(
  bytes: Buffer,
  {
    sliceBytes = sliceBytesMax,
    refusesOverflow = true,
  }: { readonly sliceBytes?: number; readonly refusesOverflow?: boolean } = {},
): Promise<unknown> {
  const body = withoutMark(bytes)
  const scan = new JsonScan(body)
  while (!scan.isDone) {
    scan.advance(parsedAtOnceMax)
    await serveRequests()
  }
  return await new SlicedParser(body, refusesOverflow && scan.mayOverflow, sliceBytes).parse()
}

function withoutMark(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw new ServiceError('malformed_json', { problem: 'it is not UTF-8' })
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function parseAtOnce(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw syntaxRefusal(positionIn(error, 0), error)
  }
}

/** The parser's message quotes the body, which may contain a secret, so only the position is kept. */
const positionIn = (error: unknown, position: number): number | undefined => {
  const match = /at position (\d+)/.exec(error instanceof Error ? error.message : '')
  return match === null ? undefined : Number(match[1]) + position
}

const syntaxRefusal = (position: number | undefined, cause?: unknown): ServiceError =>
  new ServiceError(
    'malformed_json',
    {
      problem:
        position === undefined
          ? 'it ends too early or is not JSON at all'
          : `it has a syntax error at position ${position}`,
    },
    { cause },
  )

const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const [quote, comma, colon] = [0x22, 0x2c, 0x3a]

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Splits large arrays and objects at their commas, and passes runs of small members to `JSON.parse`, which validates them.
 * The syntax between two runs is checked here.
 */
class SlicedParser {
  readonly #bytes: Buffer
  readonly #mayOverflow: boolean
  readonly #sliceBytes: number
  #at = 0
  readonly #slice = new TimeSlice()

  constructor(bytes: Buffer, mayOverflow: boolean, sliceBytes: number) {
    this.#bytes = bytes
    this.#mayOverflow = mayOverflow
    this.#sliceBytes = sliceBytes
  }

  async parse(): Promise<unknown> {
    const value = await this.#value('')
    this.#skipSpace()
    if (this.#at < this.#bytes.length) throw this.#malformedHere()
    return value
  }

  async #value(path: string): Promise<unknown> {
    this.#skipSpace()
    const first = this.#bytes[this.#at]
    if (first === openArray || first === openObject) {
      const end = this.#skim(this.#at, this.#at + this.#sliceBytes)
      if (end === undefined) return first === openArray ? await this.#array(path) : await this.#object(path)
    }
    return this.#parseUpTo(this.#skim(this.#at) as number, path)
  }

  /** An array that is too large for one slice. */
  async #array(path: string): Promise<unknown[]> {
    const items: unknown[] = []
    this.#at += 1
    for (;;) {
      const start = this.#at
      const end = this.#skimRun(closeArray, () => this.#at)
      if (end === undefined) items.push(await this.#value(pathWithin(path, items.length, true)))
      else {
        // Safe: brackets around it make it an array.
        const run = this.#parse(start, end, '[', ']') as unknown[]
        if (run.length === 0) this.#refuseGap(closeArray, items.length === 0)
        for (const item of run) {
          if (this.#mayOverflow) refuseOverflow(item, pathWithin(path, items.length, true))
          items.push(item)
        }
      }
      if (this.#slice.isOver) await this.#slice.next()
      if (this.#endsWith(closeArray)) return items
    }
  }

  /** An object that is too large for one slice. */
  async #object(path: string): Promise<object> {
    const fields = {}
    this.#at += 1
    for (;;) {
      const start = this.#at
      const end = this.#skimRun(closeObject, () => this.#skipKey())
      if (end === undefined) {
        const key = this.#key()
        defineField(fields, key, await this.#value(pathWithin(path, key, false)))
      } else {
        // Safe: braces around it make it an object.
        const run = this.#parse(start, end, '{', '}') as object
        if (Object.keys(run).length === 0) this.#refuseGap(closeObject, Object.keys(fields).length === 0)
        if (this.#mayOverflow) refuseOverflow(run, path)
        for (const [key, value] of Object.entries(run)) defineField(fields, key, value)
      }
      if (this.#slice.isOver) await this.#slice.next()
      if (this.#endsWith(closeObject)) return fields
    }
  }

  /**
   * The end of a run of members to parse at once, before the comma or bracket that follows it; undefined if the next member
   * is too large for a slice. Leaves the position at that member, or after the run.
   */
  #skimRun(close: number, beginMember: () => number): number | undefined {
    const start = this.#at
    const limit = start + this.#sliceBytes
    let end: number | undefined
    for (;;) {
      const memberAt = this.#at
      this.#skipSpace()
      const valueAt = beginMember()
      const valueEnd = this.#skim(valueAt, limit)
      if (valueEnd === undefined) {
        this.#at = end ?? memberAt
        return end
      }
      this.#at = valueEnd
      this.#skipSpace()
      end = this.#at
      const next = this.#bytes[end]
      if (next === close || next !== comma || end >= limit) return end
      this.#at += 1
    }
  }

  /** Skips the key, colon and spaces of a member, and returns the position after them; throws if there is no colon. */
  #skipKey(): number {
    if (this.#bytes[this.#at] !== quote) return this.#at
    this.#at = Math.min(this.#bytes.length, endOfText(this.#bytes, this.#at) + 1)
    this.#skipSpace()
    if (this.#bytes[this.#at] !== colon) throw this.#malformedHere()
    this.#at += 1
    this.#skipSpace()
    return this.#at
  }

  /** Reads the key at the position, and moves past its colon. */
  #key(): string {
    this.#skipSpace()
    const start = this.#at
    if (this.#bytes[start] !== quote) throw this.#malformedHere()
    // Safe: valid JSON that begins with a quote is a string.
    const key = this.#parse(start, endOfText(this.#bytes, start) + 1, '', '') as string
    this.#skipKey()
    return key
  }

  /** An empty run is valid only if there are no members at all. */
  #refuseGap(close: number, isFirst: boolean): void {
    if (!isFirst || this.#bytes[this.#at] !== close) throw this.#malformedHere()
  }

  /** The end of the value at `start`; undefined if it is an array or object that extends beyond the limit. */
  #skim(start: number, limit = Number.POSITIVE_INFINITY): number | undefined {
    const bytes = this.#bytes
    let depth = 0
    let index = start
    for (; index < bytes.length; index++) {
      const byte = bytes[index] as number
      if (byte === quote) {
        index = endOfText(bytes, index)
        if (depth === 0) return Math.min(bytes.length, index + 1)
      } else if (byte === openArray || byte === openObject) depth += 1
      else if (byte === closeArray || byte === closeObject) {
        if (depth === 0) return index
        depth -= 1
        if (depth === 0) return index + 1
      } else if (depth === 0 && (byte === comma || isSpace(byte))) return index
      if (depth > 0 && index >= limit) return undefined
    }
    return index
  }

  #parseUpTo(end: number, path: string): unknown {
    const start = this.#at
    this.#at = end
    const value = this.#parse(start, end, '', '')
    if (this.#mayOverflow) refuseOverflow(value, path)
    return value
  }

  #parse(start: number, end: number, open: string, close: string): unknown {
    try {
      return parseJsonText(open + this.#bytes.toString('utf8', start, end) + close)
    } catch (error) {
      throw syntaxRefusal(positionIn(error, this.#positionOf(start) - open.length), error)
    }
  }

  /** Whether the array or object ends here; moves past its end, or past the comma. */
  #endsWith(close: number): boolean {
    this.#skipSpace()
    const byte = this.#bytes[this.#at]
    if (byte !== close && byte !== comma) throw this.#malformedHere()
    this.#at += 1
    return byte === close
  }

  #skipSpace(): void {
    while (isSpace(this.#bytes[this.#at])) this.#at += 1
  }

  #malformedHere(): ServiceError {
    return syntaxRefusal(this.#at >= this.#bytes.length ? undefined : this.#positionOf(this.#at))
  }

  /** Positions are in characters, as the parser counts them. */
  #positionOf(byte: number): number {
    return this.#bytes.toString('utf8', 0, byte).length
  }
}
