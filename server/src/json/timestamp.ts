/**
 * Timestamps in whole microseconds since the Unix epoch. They are bigints: `Date` would lose the microseconds, and a
 * double would lose those of distant years.
 */
import type { Timestamp } from '@plumbline/contract'

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::(\d\d))?)?$/

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The first and the last instant with a four-digit year. */
export const earliest = -62_135_596_800_000_000n
export const latest = 253_402_300_799_999_999n

/** Reads a timestamp; undefined if it is not a date-time or its date does not exist. */
export function readTimestamp(value: Timestamp): bigint | undefined {
  return typeof value === 'number' ? readNumber(value) : readText(value)
}

/** ISO 8601 in UTC with six digits of the second, such as `2025-01-01T10:00:00.250000Z`. */
export function writeTimestamp(micros: bigint): string {
  const inSecond = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = Number((micros - inSecond) / 1_000_000n)
  const date = new Date(seconds * 1000).toISOString()
  return `${date.slice(0, 19)}.${String(inSecond).padStart(6, '0')}Z`
}

/** The microseconds of a `Date`. */
export const microsOf = (date: Date): bigint => BigInt(date.getTime()) * 1000n

/** Ten years: a start or end that far away means that none is known, and sums of many would not fit in 64 bits. */
const durationMaxUs = 315_576_000_000_000n

/** Null if one of them is unknown, or if the end is before the start or years later: no run takes that long. */
export function durationOf(startUs: bigint | null, endUs: bigint | null): bigint | null {
  if (startUs === null || endUs === null) return null
  const durationUs = endUs - startUs
  return durationUs < 0n || durationUs > durationMaxUs ? null : durationUs
}

/** Milliseconds between two timestamps in text form, with the fraction. */
export function durationMsOf(startTime: string | null, endTime: string | null): number | null {
  const [startUs, endUs] = [startTime, endTime].map((time) =>
    time === null ? null : (readTimestamp(time) ?? null),
  ) as [bigint | null, bigint | null]
  const durationUs = durationOf(startUs, endUs)
  return durationUs === null ? null : Number(durationUs) / 1000
}

/** The magnitude of a number picks its unit: seconds, milliseconds, microseconds or nanoseconds. */
function readNumber(value: number): bigint | undefined {
  if (!(value > 0) || !Number.isFinite(value)) return undefined
  // A double has a resolution of 256 ns here: rounding gives the right microsecond, truncation may not.
  if (value >= 1e17) return inRange(BigInt(Math.round(value / 1000)))
  const factor = value < 1e11 ? 1e6 : value < 1e14 ? 1e3 : 1
  return Number.isInteger(value) ? BigInt(value) * BigInt(factor) : BigInt(Math.round(value * factor))
}

interface DateTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Microseconds. */
  readonly fraction: number
  /** Seconds east of UTC. */
  readonly offset: number
}

/** Most clients send UTC with seconds, which is read without a regular expression and its substrings. */
function readText(text: string): bigint | undefined {
  const dateTime = readUtc(text) ?? readForm(text)
  return dateTime === undefined ? undefined : microsOfDateTime(dateTime)
}

/** `2025-01-01T10:00:00Z`, with any number of digits for the fraction. */
function readUtc(text: string): DateTime | undefined {
  const last = text.length - 1
  if (last < 19 || text[last] !== 'Z') return undefined
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':')
    return undefined
  let fraction = 0
  if (last > 19) {
    if (last === 20 || text[19] !== '.') return undefined
    const digits = Math.min(last - 20, 6)
    fraction = digitsOf(text, 20, 20 + digits) * (powersOfTen[6 - digits] as number)
    if (last > 26 && Number.isNaN(digitsOf(text, 26, last))) return undefined
  }
  const dateTime = {
    year: digitsOf(text, 0, 4),
    month: digitsOf(text, 5, 7),
    day: digitsOf(text, 8, 10),
    hour: digitsOf(text, 11, 13),
    minute: digitsOf(text, 14, 16),
    second: digitsOf(text, 17, 19),
    fraction,
    offset: 0,
  }
  const { year, month, day, hour, minute, second } = dateTime
  return Number.isNaN(year + month + day + hour + minute + second + fraction) ? undefined : dateTime
}

const powersOfTen = [1, 10, 100, 1000, 10_000, 100_000]

/** The number that the digits of a text form; NaN if there is any other character among them. */
function digitsOf(text: string, start: number, end: number): number {
  let number = 0
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function readForm(text: string): DateTime | undefined {
  const parts = form.exec(text)
  if (parts === null) return undefined
  let offset = 0
  if (parts[8] !== undefined) {
    const hours = Number(parts[9])
    const minutes = Number(parts[10] ?? 0)
    if (hours > 23 || minutes > 59) return undefined
    offset = (hours * 60 + minutes) * (parts[8] === '-' ? -60 : 60)
  }
  return {
    year: Number(parts[1]),
    month: Number(parts[2]),
    day: Number(parts[3]),
    hour: Number(parts[4]),
    minute: Number(parts[5]),
    second: parts[6] === undefined ? 0 : Number(parts[6]),
    fraction: parts[7] === undefined ? 0 : Number(parts[7].slice(0, 6).padEnd(6, '0')),
    offset,
  }
}

/** Undefined for a date or a time that does not exist. */
function microsOfDateTime(dateTime: DateTime): bigint | undefined {
  const { year, month, day, hour, minute, second, fraction, offset } = dateTime
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > monthLength(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
  const micros = seconds * 1e6 + fraction
  return Number.isSafeInteger(micros)
    ? BigInt(micros)
    : inRange(BigInt(seconds) * 1_000_000n + BigInt(fraction))
}

const inRange = (micros: bigint): bigint | undefined =>
  micros >= earliest && micros <= latest ? micros : undefined

const monthLength = (year: number, month: number): number =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
    ? 29
    : (monthLengths[month - 1] as number)

/** Days from 1970-01-01 in the proleptic Gregorian calendar; years are counted from March, so that a leap day is last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
