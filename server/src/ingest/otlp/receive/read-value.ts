/** Reads values of an export into one form for both encodings; throws `Unreadable` for invalid ones. */
import type { Attributes, AttributeValue } from '../span.ts'
import type { Long, WireAttribute, WireBytes, WireInteger, WireValue } from './wire.ts'

/** An invalid part of an export. The message completes a sentence that starts with the path of the part. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Deeper values are an attack or a bug in the sender. */
const nestingMax = 100
const uint64Max = 2n ** 64n - 1n

/** Attributes by key; of repeated keys, the last one is used. */
export function readAttributes(list: readonly WireAttribute[] | null | undefined, depth = 0): Attributes {
  const attributes: Record<string, AttributeValue> = {}
  for (const each of listOf(list)) {
    const { key, value } = each ?? {}
    if (typeof key !== 'string') continue
    const read = readValue(value, depth)
    // An assignment would set the prototype instead of a key.
    if (key === '__proto__')
      Object.defineProperty(attributes, key, {
        value: read,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else attributes[key] = read
  }
  return attributes
}

/** A value; null when it is empty. */
export function readValue(value: WireValue | null | undefined, depth = 0): AttributeValue {
  if (value == null) return null
  if (value.stringValue != null) return readText(value.stringValue)
  if (value.intValue != null) return readInteger(value.intValue)
  if (value.boolValue != null) return value.boolValue === true
  if (value.doubleValue != null) return readDouble(value.doubleValue)
  if (value.bytesValue != null) return readBytes(value.bytesValue)
  if (depth >= nestingMax) throw new Unreadable('has attributes that nest too deeply')
  if (value.arrayValue != null)
    return listOf(value.arrayValue.values).map((each) => readValue(each, depth + 1))
  if (value.kvlistValue != null) return readAttributes(value.kvlistValue.values, depth + 1)
  return null
}

/** Throws the errors that `readAttributes` throws, without building anything. */
export function checkAttributes(list: readonly WireAttribute[] | null | undefined): void {
  for (const each of listOf(list)) {
    const { key, value } = each ?? {}
    if (typeof key !== 'string' || value == null || typeof value.stringValue === 'string') continue
    readValue(value)
  }
}

/** In JSON, a text field may have any type. */
function readText(input: unknown): string {
  if (typeof input === 'object')
    throw new Unreadable('has an attribute with a stringValue that is not a string')
  return String(input)
}

/** JSON cannot express NaN and infinities as numbers, so they stay in the text form that OTLP uses. */
function readDouble(input: number | string): number | string {
  if (typeof input === 'object')
    throw new Unreadable('has an attribute with a doubleValue that is not a number')
  const value = typeof input === 'number' ? input : Number(input)
  return Number.isFinite(value) ? withoutSign(value) : String(input)
}

/** Spans are stored in JSON, which has no negative zero. */
const withoutSign = (value: number): number => (value === 0 ? 0 : value)

/**
 * A number, or a bigint if a number would lose digits. Python's JSON exporter sends integers of any length; the digits of
 * one that exceeds 64 bits stay a text.
 */
function readInteger(input: WireInteger): number | bigint | string {
  if (typeof input === 'string' && /^-?\d{21,}$/.test(input)) return input
  if (typeof input === 'number' && Number.isSafeInteger(input)) return withoutSign(input)
  if (isLong(input) && input.high === input.low >> 31) return input.low
  const value = bigintOf(input)
  if (value === undefined) throw new Unreadable('has an attribute with an intValue that is not an integer')
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

/** Nanoseconds since 1970; in the protocol, 0 means none. */
export function readTime(input: WireInteger | null | undefined, field: string): bigint {
  const value = input == null ? 0n : bigintOf(input)
  if (value === undefined || value < 0n || value > uint64Max)
    throw new Unreadable(`has a ${field} that is not in nanoseconds since 1970`)
  return value
}

/** Whether there is a time; throws the errors that `readTime` throws. */
export function hasTime(input: WireInteger | null | undefined, field: string): boolean {
  if (isLong(input) && input.unsigned) return input.low !== 0 || input.high !== 0
  return readTime(input, field) !== 0n
}

function bigintOf(input: WireInteger): bigint | undefined {
  if (typeof input === 'number') return Number.isFinite(input) ? BigInt(Math.trunc(input)) : undefined
  if (typeof input === 'string') return /^-?\d{1,20}$/.test(input) ? BigInt(input) : undefined
  return isLong(input)
    ? (BigInt(input.unsigned ? input.high >>> 0 : input.high) << 32n) | BigInt(input.low >>> 0)
    : undefined
}

const isLong = (value: WireInteger | null | undefined): value is Long =>
  typeof value === 'object' &&
  value !== null &&
  typeof value.low === 'number' &&
  typeof value.high === 'number'

/** An id of `bytes` bytes in hexadecimal, which JSON sends either in that form or in base64. Empty if there is none. */
export function readId(id: WireBytes | null | undefined, bytes: 8 | 16): string {
  if (id == null || id.length === 0) return ''
  const isWhole = id instanceof Uint8Array && id.length === bytes
  const hex = typeof id === 'string' ? hexOf(id, bytes) : isWhole ? hexOfBytes(id) : undefined
  if (hex === undefined) throw new Unreadable(`must have ids of ${bytes} bytes where they belong`)
  return isZero.test(hex) ? '' : hex
}

const isZero = /^0+$/

/** Whether there is an id; throws the errors that `readId` throws. */
export function hasId(id: WireBytes | null | undefined, bytes: 8 | 16): boolean {
  if (id instanceof Uint8Array && id.length === bytes) return id.some((byte) => byte !== 0)
  return readId(id, bytes) !== ''
}

const hexOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

function hexOf(text: string, bytes: number): string | undefined {
  if (text.length === bytes * 2) return /^[\da-f]+$/i.test(text) ? text.toLowerCase() : undefined
  const decoded = Buffer.from(text, 'base64')
  return decoded.length === bytes && /^[\w+/-]+={0,2}$/.test(text) ? decoded.toString('hex') : undefined
}

function readBytes(bytes: WireBytes): string {
  if (typeof bytes === 'string') return bytes
  if (!(bytes instanceof Uint8Array))
    throw new Unreadable('has an attribute with a bytesValue that is not base64')
  return Buffer.from(bytes).toString('base64')
}

/** The value if it is a list, else an empty list. */
export const listOf = <Of>(value: readonly Of[] | null | undefined): readonly Of[] =>
  Array.isArray(value) ? value : []

/** The value if it is a text, else an empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
