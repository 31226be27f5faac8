/**
 * The column types of ClickHouse's Native format, which stores the values of a column one after the other. The engine
 * copies them instead of parsing a text format, which was three quarters of the work of an insert.
 *
 * LowCardinality columns are sent as texts: the engine builds the dictionary.
 */
import { uuidOfAnyCasePattern } from '@plumbline/contract/uuids'
import { GrowingBytes, readVarint } from './growing-bytes.ts'

/** A range of rows; the end is exclusive. */
export type RowRange = readonly [start: number, end: number]

/** Collects the values of a column. */
export interface ColumnWriter<Value> {
  append(value: Value): void
  /** Discards all values after the first `rows`, including a partially appended one. */
  truncate(rows: number): void
  /** Discards all values and keeps the buffer. */
  clear(): void
  readonly byteLength: number
  /** Returns where the bytes end. */
  copyTo(target: Buffer, offset: number): number
}

export interface ColumnType<Value> {
  /** The engine's name for the type. */
  readonly name: string
  makeWriter(): ColumnWriter<Value>
  /**
   * The bytes of some rows of the column at `offset`, as a separate column, and where the original column ends. The
   * ranges are in ascending order.
   */
  select(bytes: Buffer, offset: number, rows: number, ranges: readonly RowRange[]): SelectedBytes
  /** The values of a column, numbers and times as texts, and where the column ends. */
  read(bytes: Buffer, offset: number, rows: number): { values: unknown[]; end: number }
}

interface SelectedBytes {
  readonly pieces: readonly Buffer[]
  readonly end: number
}

interface FixedWidth<Value> {
  readonly name: string
  readonly width: number
  readonly put: (view: DataView, offset: number, value: Value) => void
  readonly get: (view: DataView, offset: number) => string
}

function fixedWidth<Value>({ name, width, put, get }: FixedWidth<Value>): ColumnType<Value> {
  return {
    name,
    makeWriter() {
      const bytes = new GrowingBytes()
      return {
        append: (value) => {
          const offset = bytes.extend(width)
          put(bytes.view, offset, value)
        },
        truncate: (rows) => bytes.truncate(rows * width),
        clear: () => bytes.clear(),
        get byteLength() {
          return bytes.length
        },
        copyTo: (target, offset) => bytes.copyTo(target, offset),
      }
    },
    select: (bytes, offset, rows, ranges) => ({
      pieces: ranges.map(([start, end]) => bytes.subarray(offset + start * width, offset + end * width)),
      end: offset + rows * width,
    }),
    read(bytes, offset, rows) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const values = Array.from({ length: rows }, (_, row) => get(view, offset + row * width))
      return { values, end: offset + rows * width }
    },
  }
}

export const flag = fixedWidth<boolean>({
  name: 'Bool',
  width: 1,
  put: (view, offset, value) => view.setUint8(offset, value ? 1 : 0),
  get: (view, offset) => String(view.getUint8(offset) === 1),
})

export const count = fixedWidth<number>({
  name: 'UInt32',
  width: 4,
  put: (view, offset, value) => view.setUint32(offset, value, true),
  get: (view, offset) => String(view.getUint32(offset, true)),
})

export const float = fixedWidth<number>({
  name: 'Float64',
  width: 8,
  put: (view, offset, value) => view.setFloat64(offset, value, true),
  get: (view, offset) => String(view.getFloat64(offset, true)),
})

/** Signed, for microseconds. */
export const integer = fixedWidth<bigint>({
  name: 'Int64',
  width: 8,
  put: (view, offset, value) => view.setBigInt64(offset, value, true),
  get: (view, offset) => String(view.getBigInt64(offset, true)),
})

/** A non-negative integer. */
export const version = fixedWidth<number>({
  name: 'UInt64',
  width: 8,
  put: putWhole,
  get: (view, offset) => String(view.getBigUint64(offset, true)),
})

/** Milliseconds since 1970. */
export const time = fixedWidth<number>({
  name: "DateTime64(3, 'UTC')",
  width: 8,
  put: putWhole,
  get: (view, offset) => new Date(Number(view.getBigInt64(offset, true))).toISOString(),
})

/** Faster than converting the number to a bigint. */
function putWhole(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % 2 ** 32, true)
  view.setInt32(offset + 4, Math.floor(value / 2 ** 32), true)
}

let lastUuid = { text: '', first: 0, second: 0, third: 0, fourth: 0 }

/** Two halves, each in little-endian order. */
export const uuid = fixedWidth<string>({
  name: 'UUID',
  width: 16,
  put(view, offset, value) {
    // The logs of a trace follow each other, so the last UUID often repeats.
    if (lastUuid.text !== value) lastUuid = readUuid(value)
    view.setUint32(offset, lastUuid.second, true)
    view.setUint32(offset + 4, lastUuid.first, true)
    view.setUint32(offset + 8, lastUuid.fourth, true)
    view.setUint32(offset + 12, lastUuid.third, true)
  },
  get(view, offset) {
    const half = (start: number) => view.getBigUint64(start, true).toString(16).padStart(16, '0')
    const digits = half(offset) + half(offset + 8)
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
})

/** Parses eight digits at a time: parsing the halves as bigints takes several times as long. */
function readUuid(text: string): typeof lastUuid {
  if (!uuidOfAnyCasePattern.test(text)) throw new Error(`Not a UUID: ${JSON.stringify(text)}`)
  return {
    text,
    first: Number.parseInt(text.slice(0, 8), 16),
    second: Number.parseInt(text.slice(9, 13) + text.slice(14, 18), 16),
    third: Number.parseInt(text.slice(19, 23) + text.slice(24, 28), 16),
    fourth: Number.parseInt(text.slice(28), 16),
  }
}

export const text: ColumnType<string> = {
  name: 'String',
  makeWriter: () => new TextWriter(),
  select(bytes, offset, rows, ranges) {
    const pieces: Buffer[] = []
    let row = 0
    let position = offset
    const skipTo = (end: number): number => {
      for (; row < end; row++) {
        const length = readVarint(bytes, position)
        position = length.end + length.value
      }
      return position
    }
    for (const [start, end] of ranges) pieces.push(bytes.subarray(skipTo(start), skipTo(end)))
    return { pieces, end: skipTo(rows) }
  },
  read(bytes, offset, rows) {
    const values: string[] = []
    let position = offset
    for (let row = 0; row < rows; row++) {
      const length = readVarint(bytes, position)
      position = length.end + length.value
      values.push(bytes.toString('utf8', length.end, position))
    }
    return { values, end: position }
  },
}

class TextWriter implements ColumnWriter<string> {
  readonly #bytes = new GrowingBytes()
  #rows = 0
  #last = { text: '', start: 0, end: 0 }

  append(value: string): void {
    this.#rows += 1
    const start = this.#bytes.length
    // Many columns repeat the same text in consecutive rows.
    if (value === this.#last.text && value !== '') {
      this.#bytes.repeat(this.#last.start, this.#last.end)
      return
    }
    this.#bytes.appendText(value)
    this.#last = { text: value, start, end: this.#bytes.length }
  }

  truncate(rows: number): void {
    if (rows === this.#rows) return
    const bytes = Buffer.alloc(this.byteLength)
    this.copyTo(bytes, 0)
    this.#bytes.truncate(text.select(bytes, 0, rows, []).end)
    this.#rows = rows
    this.#last = { text: '', start: 0, end: 0 }
  }

  clear(): void {
    this.#bytes.clear()
    this.#rows = 0
    this.#last = { text: '', start: 0, end: 0 }
  }

  get byteLength(): number {
    return this.#bytes.length
  }

  copyTo(target: Buffer, offset: number): number {
    return this.#bytes.copyTo(target, offset)
  }
}

/** A column whose values may be absent, with `empty` in their places. */
function nullable<Value>(type: ColumnType<Value>, empty: Value): ColumnType<Value | null> {
  return {
    name: `Nullable(${type.name})`,
    makeWriter() {
      const absences = flag.makeWriter()
      const values = type.makeWriter()
      return {
        append(value) {
          absences.append(value === null)
          values.append(value === null ? empty : value)
        },
        truncate(rows) {
          absences.truncate(rows)
          values.truncate(rows)
        },
        clear() {
          absences.clear()
          values.clear()
        },
        get byteLength() {
          return absences.byteLength + values.byteLength
        },
        copyTo: (target, offset) => values.copyTo(target, absences.copyTo(target, offset)),
      }
    },
    select: (bytes, offset, rows, ranges) => selectBoth(flag, type, { bytes, offset, rows, ranges }),
    read(bytes, offset, rows) {
      const absences = flag.read(bytes, offset, rows)
      const { values, end } = type.read(bytes, absences.end, rows)
      return { values: values.map((value, row) => (absences.values[row] === 'true' ? null : value)), end }
    },
  }
}

interface Selection {
  readonly bytes: Buffer
  readonly offset: number
  readonly rows: number
  readonly ranges: readonly RowRange[]
}

/** Selects rows of two columns that follow each other. */
function selectBoth(
  first: ColumnType<never>,
  second: ColumnType<never>,
  { bytes, offset, rows, ranges }: Selection,
): SelectedBytes {
  const ofFirst = first.select(bytes, offset, rows, ranges)
  const ofSecond = second.select(bytes, ofFirst.end, rows, ranges)
  return { pieces: [...ofFirst.pieces, ...ofSecond.pieces], end: ofSecond.end }
}

function pair<First, Second>(
  first: ColumnType<First>,
  second: ColumnType<Second>,
): ColumnType<readonly [First, Second]> {
  return {
    name: `Tuple(${first.name}, ${second.name})`,
    makeWriter() {
      const firsts = first.makeWriter()
      const seconds = second.makeWriter()
      return {
        append([firstValue, secondValue]) {
          firsts.append(firstValue)
          seconds.append(secondValue)
        },
        truncate(rows) {
          firsts.truncate(rows)
          seconds.truncate(rows)
        },
        clear() {
          firsts.clear()
          seconds.clear()
        },
        get byteLength() {
          return firsts.byteLength + seconds.byteLength
        },
        copyTo: (target, offset) => seconds.copyTo(target, firsts.copyTo(target, offset)),
      }
    },
    select: (bytes, offset, rows, ranges) => selectBoth(first, second, { bytes, offset, rows, ranges }),
    read(bytes, offset, rows) {
      const firsts = first.read(bytes, offset, rows)
      const seconds = second.read(bytes, firsts.end, rows)
      return { values: firsts.values.map((value, row) => [value, seconds.values[row]]), end: seconds.end }
    },
  }
}

const endBytes = 8

function encodeEnds(ends: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ends.length * endBytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const [row, end] of ends.entries()) putWhole(view, row * endBytes, end)
  return bytes
}

const readEnds = (bytes: Buffer, offset: number, rows: number): number[] =>
  Array.from({ length: rows }, (_, row) => Number(bytes.readBigUInt64LE(offset + row * endBytes)))

/** A column of lists: first the end of each list, then all values. */
function list<Value>(type: ColumnType<Value>, name = `Array(${type.name})`): ColumnType<readonly Value[]> {
  return {
    name,
    makeWriter() {
      const ends: number[] = []
      const values = type.makeWriter()
      return {
        append(items) {
          for (const item of items) values.append(item)
          ends.push((ends.at(-1) ?? 0) + items.length)
        },
        truncate(rows) {
          ends.length = rows
          values.truncate(ends.at(-1) ?? 0)
        },
        clear() {
          ends.length = 0
          values.clear()
        },
        get byteLength() {
          return ends.length * endBytes + values.byteLength
        },
        copyTo: (target, offset) => values.copyTo(target, offset + encodeEnds(ends).copy(target, offset)),
      }
    },
    select(bytes, offset, rows, ranges) {
      const ends = readEnds(bytes, offset, rows)
      const endOf = (row: number): number => (row === 0 ? 0 : ends[row - 1]!)
      let items = 0
      const selected = ranges.flatMap(([start, end]) => {
        const shift = items - endOf(start)
        items = endOf(end) + shift
        return ends.slice(start, end).map((itemEnd) => itemEnd + shift)
      })
      const itemRanges = ranges.map(([start, end]) => [endOf(start), endOf(end)] as const)
      const nested = type.select(bytes, offset + rows * endBytes, endOf(rows), itemRanges)
      return { pieces: [encodeEnds(selected), ...nested.pieces], end: nested.end }
    },
    read(bytes, offset, rows) {
      const ends = readEnds(bytes, offset, rows)
      const items = type.read(bytes, offset + rows * endBytes, ends.at(-1) ?? 0)
      const values = ends.map((end, row) => items.values.slice(row === 0 ? 0 : ends[row - 1], end))
      return { values, end: items.end }
    },
  }
}

export const textOrNull = nullable(text, '')
export const floatOrNull = nullable(float, 0)
export const integerOrNull = nullable(integer, 0n)
export const uuidOrNull = nullable(uuid, '00000000-0000-0000-0000-000000000000')
export const texts = list(text)
export const textPairs = list(pair(text, text))
export const textsByText = list(pair(text, text), 'Map(String, String)')
export const floatsByText = list(pair(text, float), 'Map(String, Float64)')

const typesByName: ReadonlyMap<string, ColumnType<never>> = new Map(
  [
    ...[flag, count, float, integer, version, time, uuid, text],
    ...[textOrNull, floatOrNull, integerOrNull, uuidOrNull],
    ...[texts, textPairs, textsByText, floatsByText],
  ].map((type) => [type.name, type]),
)

/** Throws if none of our columns has this type. */
export function typeNamed(name: string): ColumnType<never> {
  const type = typesByName.get(name)
  if (type === undefined) throw new Error(`No column has the type ${name}.`)
  return type
}
