/** Values of an export, in the one form that the rest of the service knows. What is not legal throws `Unreadable`. */
import type { Attributes, AttributeValue } from './span.ts'
import type { Long, WireAttribute, WireBytes, WireInteger, WireValue } from './wire.ts'

/** A part of an export that has no meaning; the message ends the sentence that begins with its name. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Deeper values are no data but an attack, or a loop in somebody's program. */
const nestingMax = 100
const uint64Max = 2n ** 64n - 1n

/** Attributes by key; of two with one key the last is kept. */
export function readAttributes(sent: readonly WireAttribute[] | null | undefined, depth = 0): Attributes {
  const attributes: Record<string, AttributeValue> = {}
  for (const each of listOf(sent)) {
    const { key, value } = each ?? {}
    if (typeof key !== 'string') continue
    const read = readValue(value, depth)
    // An assignment would set the prototype in place of a key.
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

/** A value; one that says nothing is null. */
export function readValue(value: WireValue | null | undefined, depth = 0): AttributeValue {
  if (value == null) return null
  if (value.stringValue != null) return String(value.stringValue)
  if (value.intValue != null) return readInteger(value.intValue)
  if (value.boolValue != null) return value.boolValue === true
  if (value.doubleValue != null) return readDouble(value.doubleValue)
  if (value.bytesValue != null) return base64Of(value.bytesValue)
  if (depth >= nestingMax) throw new Unreadable('has attributes that nest too deep')
  if (value.arrayValue != null)
    return listOf(value.arrayValue.values).map((each) => readValue(each, depth + 1))
  if (value.kvlistValue != null) return readAttributes(value.kvlistValue.values, depth + 1)
  return null
}

/** JSON has no way to write these as numbers, so they are kept as the texts that OTLP writes for them. */
function readDouble(sent: number | string): number | string {
  const value = typeof sent === 'number' ? sent : Number(sent)
  return Number.isFinite(value) ? value : String(sent)
}

/** A number, or a bigint where a number would lose digits. */
function readInteger(sent: WireInteger): number | bigint {
  if (typeof sent === 'number' && Number.isSafeInteger(sent)) return sent
  if (typeof sent === 'object' && sent.high === sent.low >> 31) return sent.low
  const value = bigintOf(sent)
  if (value === undefined) throw new Unreadable('has an attribute with an intValue that is no integer')
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

/** Nanoseconds since 1970; 0 is how the protocol says none. */
export function readTime(sent: WireInteger | null | undefined, field: string): bigint {
  const value = sent == null ? 0n : bigintOf(sent)
  if (value === undefined || value < 0n || value > uint64Max)
    throw new Unreadable(`has a ${field} that is not in nanoseconds since 1970`)
  return value
}

function bigintOf(sent: WireInteger): bigint | undefined {
  if (typeof sent === 'number') return Number.isFinite(sent) ? BigInt(Math.trunc(sent)) : undefined
  if (typeof sent === 'string') return /^-?\d{1,20}$/.test(sent) ? BigInt(sent) : undefined
  return isLong(sent)
    ? (BigInt(sent.unsigned ? sent.high >>> 0 : sent.high) << 32n) | BigInt(sent.low >>> 0)
    : undefined
}

const isLong = (sent: unknown): sent is Long =>
  typeof sent === 'object' && sent !== null && 'low' in sent && 'high' in sent

/** The hexadecimal digits of an id of so many bytes: JSON writes them so, or in base64; empty where there is none. */
export function readId(sent: WireBytes | null | undefined, bytes: 8 | 16): string {
  if (sent == null || sent.length === 0) return ''
  const hex =
    typeof sent === 'string' ? hexOf(sent, bytes) : sent.length === bytes ? hexOfBytes(sent) : undefined
  if (hex === undefined) throw new Unreadable(`must have ids of ${bytes} bytes where they belong`)
  return isZero.test(hex) ? '' : hex
}

const isZero = /^0+$/

const hexOfBytes = (sent: Uint8Array): string =>
  Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength).toString('hex')

function hexOf(sent: string, bytes: number): string | undefined {
  if (sent.length === bytes * 2) return /^[\da-f]+$/i.test(sent) ? sent.toLowerCase() : undefined
  const decoded = Buffer.from(sent, 'base64')
  return decoded.length === bytes && /^[\w+/-]+={0,2}$/.test(sent) ? decoded.toString('hex') : undefined
}

const base64Of = (sent: WireBytes): string =>
  typeof sent === 'string' ? sent : Buffer.from(sent).toString('base64')

/** A list; what is none is empty. */
export const listOf = <Of>(sent: readonly Of[] | null | undefined): readonly Of[] =>
  Array.isArray(sent) ? sent : []

/** A text; what is none is empty. */
export const textOf = (sent: unknown): string => (typeof sent === 'string' ? sent : '')
