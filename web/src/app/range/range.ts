/** The selected time range, as in the URL: `24h`, or `from..to` in ISO 8601. */
import { formatInstant } from '../../ui/text/format.ts'

export interface Range {
  /** As in the URL. */
  readonly text: string
  readonly from: Date
  /** Absent if the range ends now. */
  readonly to: Date | undefined
}

export const defaultRange = '7d'

const hourMs = 3_600_000
export const presets = [
  { text: '15m', label: 'Last 15 minutes', ms: hourMs / 4 },
  { text: '1h', label: 'Last hour', ms: hourMs },
  { text: '24h', label: 'Last 24 hours', ms: 24 * hourMs },
  { text: '7d', label: 'Last 7 days', ms: 7 * 24 * hourMs },
  { text: '30d', label: 'Last 30 days', ms: 30 * 24 * hourMs },
  { text: '90d', label: 'Last 90 days', ms: 90 * 24 * hourMs },
] as const

const unitMs = { m: hourMs / 60, h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs } as const
const unitNames = { m: 'minute', h: 'hour', d: 'day', w: 'week' } as const
const lastMsMax = 10 * 366 * 24 * hourMs

type LastRange = { readonly text: string; readonly label: string; readonly ms: number }

/** A typed duration until now, such as `30m`, `6 h` or `2 weeks`. */
export function readLast(text: string): LastRange | undefined {
  const [, digits = '', unit = ''] =
    /^\s*([1-9]\d{0,4})\s*(m|h|d|w)(?:in|inutes?|ours?|ays?|eeks?)?\s*$/i.exec(text) ?? []
  const key = unit.toLowerCase() as keyof typeof unitMs
  const ms = Number(digits) * unitMs[key]
  if (!(ms <= lastMsMax)) return undefined
  const short = `${digits}${key}`
  const preset = presets.find((candidate) => candidate.ms === ms)
  const plural = digits === '1' ? '' : 's'
  return preset ?? { text: short, label: `Last ${digits} ${unitNames[key]}${plural}`, ms }
}

const minutePattern = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?\s*$/

/** A minute of UTC or of this device's time zone, as `2026-11-23 06:59`; midnight without a time. */
export function readMinute(text: string, isUtc: boolean): Date | undefined {
  const [, year, month, day, hour = '0', minute = '0'] = minutePattern.exec(text) ?? []
  if (day === undefined) return undefined
  const [monthIndex, dayNumber, hours, minutes] = [
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
  ]
  const utc = new Date(Date.UTC(Number(year), monthIndex, dayNumber, hours, minutes))
  // Rejects dates such as 31 February and times such as 24:30.
  const isReal =
    utc.getUTCMonth() === monthIndex && utc.getUTCDate() === dayNumber && hours < 24 && minutes < 60
  if (!isReal) return undefined
  return isUtc ? utc : new Date(Number(year), monthIndex, dayNumber, hours, minutes)
}

/** An unchanged text stays the same instant: when clocks go back, an hour is ambiguous. */
export const readChangedMinute = (text: string, instant: Date, isUtc: boolean): Date | undefined =>
  text === writeMinute(instant, isUtc) ? instant : readMinute(text, isUtc)

/** The message shown if `readMinute` reads nothing. */
export const minuteRule = 'Use the format 2026-11-23 06:59.'

/** A day in UTC, as `2026-11-23`: its midnight. */
export function readDay(text: string): Date | undefined {
  const day = text.trim()
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const time = new Date(`${day}T00:00:00Z`)
  // Rejects dates such as 31 February.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) ? time : undefined
}

export const writeMinute = (time: Date, isUtc: boolean): string => formatInstant(time, isUtc).slice(0, 16)

/**
 * The adjacent window of the same length; none after now. Whole days shift by days, some of which have 23 or 25
 * hours.
 */
export function neighbour(
  { from, to }: Range,
  direction: -1 | 1,
  now: Date,
  isUtc: boolean,
): readonly [Date, Date] | undefined {
  const end = to ?? now
  const lengthMs = end.getTime() - from.getTime()
  const areDays = [from, end].every((time) => midnightOf(time, 0, isUtc).getTime() === time.getTime())
  const shift = (time: Date): Date =>
    areDays
      ? midnightOf(time, direction * Math.round(lengthMs / (24 * hourMs)), isUtc)
      : new Date(time.getTime() + direction * lengthMs)
  const start = shift(from)
  return start < now ? [start, shift(end)] : undefined
}

/** Midnight before an instant, moved by a number of days, in UTC or in this device’s time zone. */
const midnightOf = (time: Date, days: number, isUtc: boolean): Date =>
  isUtc
    ? new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() + days))
    : new Date(time.getFullYear(), time.getMonth(), time.getDate() + days)

/** Whole days of UTC or of this device's time zone. */
export function wholeDays(
  now: Date,
  isUtc: boolean,
): readonly { readonly label: string; readonly range: readonly [Date, Date] }[] {
  const midnight = (days: number): Date => midnightOf(now, days, isUtc)
  return [
    { label: 'Today', range: [midnight(0), midnight(1)] },
    { label: 'Yesterday', range: [midnight(-1), midnight(0)] },
  ]
}

/** A range that ends now advances in steps, so that requests within a step are identical and cached. */
const stepMs = 60_000

/** The range of a text; the default range if the text is invalid. */
export function readRange(text: string | undefined, now: Date): Range {
  const preset = readLast(text ?? '')
  if (preset !== undefined) {
    const end = Math.floor(now.getTime() / stepMs) * stepMs
    return { text: preset.text, from: new Date(end - preset.ms), to: undefined }
  }
  const [from, to] = (text ?? '').split('..').map((instant) => new Date(instant))
  if (from !== undefined && to !== undefined && from < to) {
    return { text: rangeBetween(from, to), from, to }
  }
  return readRange(defaultRange, now)
}

/** The text of a range between two instants in the URL, to the second. */
export const rangeBetween = (start: Date, end: Date): string => `${toSecond(start)}..${toSecond(end)}`

/** A range until now that contains an instant: at least as long as the longest preset. */
export function rangeSince(instant: Date, now: Date): string {
  const days = Math.ceil((now.getTime() - instant.getTime()) / (24 * hourMs)) + 1
  if (days * 24 * hourMs > lastMsMax) return rangeBetween(instant, now)
  return `${Math.max(90, days)}d`
}

/** The text of a range that contains an instant; undefined if the selected range contains it. */
export const rangeWith = (instant: Date, { from, to }: Range, now: Date): string | undefined =>
  from <= instant && (to === undefined || instant < to) ? undefined : rangeSince(instant, now)

const toSecond = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z')

const dayForm = { day: 'numeric', month: 'short' } as const
const minuteForm = { hour: '2-digit', minute: '2-digit' } as const

/** `Last 7 days`, or from when to when, in UTC or in local time; with the year if it is not the current one. */
export function rangeLabel({ text, from, to }: Range, now: Date, isUtc: boolean): string {
  if (to === undefined) return readLast(text)?.label ?? text
  const format = new Intl.DateTimeFormat('en-GB', {
    ...dayFormOf([from, to], now, isUtc),
    ...(to.getTime() - from.getTime() <= 3 * 24 * hourMs && minuteForm),
  })
  return `${format.format(from)} – ${format.format(to)}`
}

/** Its days only, for small spaces: `7d`, `29 Nov`, `1 – 8 Nov`. */
export function shortRangeLabel({ text, from, to }: Range, now: Date, isUtc: boolean): string {
  if (to === undefined) return text
  // A range that ends at midnight ends with the day before.
  const last = new Date(to.getTime() - 1)
  return new Intl.DateTimeFormat('en-GB', dayFormOf([from, last], now, isUtc)).formatRange(from, last)
}

/** With the year if either time is outside the current one. */
function dayFormOf(times: readonly Date[], now: Date, isUtc: boolean): Intl.DateTimeFormatOptions {
  const yearOf = (time: Date): string => formatInstant(time, isUtc).slice(0, 4)
  return {
    ...dayForm,
    ...(times.some((time) => yearOf(time) !== yearOf(now)) && { year: 'numeric' }),
    ...(isUtc && { timeZone: 'UTC' }),
  }
}
