import { parseExactJson } from './exact-json.ts'

/**
 * A value of a Parquet file as JSON has it. Whole numbers that a number cannot hold exactly, such as ids of 64 bits, are
 * texts, and bytes are base64.
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

/** A text keeps a byte order mark that it begins with. */
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** For the reader of Parquet: texts as they were written, and JSON with the digits of its whole numbers. */
export const parquetParsers = {
  stringFromBytes: (bytes: Uint8Array) => bytes && textOf(bytes),
  jsonFromBytes: (bytes: Uint8Array) => bytes && parseExactJson(textOf(bytes)),
}
