import { parseExactJson } from './exact-json.ts'

/**
 * Converts a value of a Parquet file to JSON. Integers that a number cannot hold exactly, such as 64-bit ids, become texts,
 * and bytes become base64.
 */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return base64Of(value)
  if (Array.isArray(value)) return value.map(plainValue)
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, plainValue)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainValue(part)]))
  return value
}

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Keeps a leading byte order mark. */
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** An instant with all its digits, since a JavaScript `Date` has none beyond milliseconds. */
function instantOf(units: bigint, unitsPerMs: bigint): string | null {
  const rest = ((units % unitsPerMs) + unitsPerMs) % unitsPerMs
  const date = new Date(Number((units - rest) / unitsPerMs))
  if (Number.isNaN(date.getTime())) return null
  const digits = String(unitsPerMs + rest)
    .slice(1)
    .replace(/0+$/, '')
  return date.toISOString().replace('Z', `${digits}Z`)
}

function dayOf(days: number): string | null {
  const date = new Date(days * 86_400_000)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/T.*$/, '')
}

/** For the Parquet reader: texts unchanged, JSON with all digits of its integers, instants and days as texts. */
export const parquetParsers = {
  stringFromBytes: (bytes: Uint8Array) => bytes && textOf(bytes),
  jsonFromBytes: (bytes: Uint8Array) => bytes && parseExactJson(textOf(bytes)),
  timestampFromMicroseconds: (micros: bigint) => instantOf(micros, 1000n),
  timestampFromNanoseconds: (nanos: bigint) => instantOf(nanos, 1_000_000n),
  dateFromDays: dayOf,
}

/** An element of a Parquet schema: a column, or a group of the following elements. */
interface SchemaElement {
  readonly name: string
  readonly type?: string
  readonly repetition_type?: string
  readonly num_children?: number
  readonly converted_type?: string
  readonly scale?: number
}

/** The number of decimal places of decimals, by column. */
type Scales = ReadonlyMap<string, number>

/**
 * Changes the metadata of a Parquet file so that the reader returns decimals as they are stored, and returns the scales by
 * column: the reader would turn 0.35 into 0.35000000000000003, and lose digits of long decimals.
 */
export function withStoredDecimals<Metadata extends { readonly schema: SchemaElement[] }>(
  metadata: Metadata,
): { metadata: Metadata; scales: Scales } {
  const scales = new Map<string, number>()
  // The number of remaining elements in groups, whose decimals are left to the reader.
  let nested = 0
  const schema = metadata.schema.map((element, index) => {
    if (index === 0) return element
    const isNested = nested > 0
    nested += (element.num_children ?? 0) - (isNested ? 1 : 0)
    const { name, type = '', repetition_type, converted_type, scale = 0 } = element
    const isStored = ['INT32', 'INT64', 'FIXED_LEN_BYTE_ARRAY'].includes(type)
    if (isNested || converted_type !== 'DECIMAL' || !isStored || repetition_type === 'REPEATED')
      return element
    scales.set(name, scale)
    return { ...element, converted_type: undefined, logical_type: undefined }
  })
  return { metadata: { ...metadata, schema }, scales }
}

/** Converts a row from the reader to JSON. */
export const plainRow = (row: Readonly<Record<string, unknown>>, scales: Scales): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const scale = scales.get(column)
      return [column, scale === undefined ? plainValue(value) : decimalOf(value, scale)]
    }),
  )

/** The number of digits that every number preserves. */
const digitsMax = 15

/** A decimal in JSON; if a number might not preserve its digits, as text. */
function decimalOf(value: unknown, scale: number): unknown {
  const unscaled =
    value instanceof Uint8Array
      ? integerOf(value)
      : typeof value === 'bigint' || typeof value === 'number'
        ? BigInt(value)
        : undefined
  if (unscaled === undefined) return value
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  const whole = `${unscaled < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}`
  const text = scale === 0 || fraction === '' ? whole : `${whole}.${fraction}`
  const significant = digits.replaceAll(/^0+|0+$/g, '')
  const number = Number(text)
  return significant.length <= digitsMax || String(number) === text ? number : text
}

/** Reads a big-endian integer in two's complement. */
const integerOf = (bytes: Uint8Array): bigint =>
  BigInt.asIntN(
    8 * bytes.length,
    bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
  )
