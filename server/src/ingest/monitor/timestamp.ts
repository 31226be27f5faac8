/**
 * Timestamps in whole microseconds since the Unix epoch. They are bigints: `Date` would lose the microseconds, and a
 * double would lose those of distant years.
 */
import type { Timestamp } from '@plumbline/contract'

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::(\d\d))?)?$/

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The first and the last instant with a year of four digits. */
const earliest = -62_135_596_800_000_000n
const latest = 253_402_300_799_999_999n

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

/** The magnitude of a number picks its unit: seconds, milliseconds, microseconds or nanoseconds. */
function readNumber(value: number): bigint | undefined {
  if (!(value > 0) || !Number.isFinite(value)) return undefined
  if (value >= 1e17) return inRange(BigInt(Math.round(value)) / 1000n)
  const factor = value < 1e11 ? 1e6 : value < 1e14 ? 1e3 : 1
  return Number.isInteger(value) ? BigInt(value) * BigInt(factor) : BigInt(Math.round(value * factor))
}

function readText(text: string): bigint | undefined {
  const parts = form.exec(text)
  if (parts === null) return undefined
  const year = Number(parts[1])
  const month = Number(parts[2])
  const day = Number(parts[3])
  const hour = Number(parts[4])
  const minute = Number(parts[5])
  const second = parts[6] === undefined ? 0 : Number(parts[6])
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > monthLength(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  let offset = 0
  if (parts[8] !== undefined) {
    const hours = Number(parts[9])
    const minutes = Number(parts[10] ?? 0)
    if (hours > 23 || minutes > 59) return undefined
    offset = (hours * 60 + minutes) * (parts[8] === '-' ? -60 : 60)
  }
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
  const fraction = parts[7] === undefined ? 0 : Number(parts[7].slice(0, 6).padEnd(6, '0'))
  return inRange(BigInt(seconds) * 1_000_000n + BigInt(fraction))
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
