/** The number and time formats of the web app, in English. Pure. */

const wholeNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const twoSignificant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })

/** Represents a missing value. */
export const nothing = '–'

/** `812 ms`, `3.4 s`, `2 m 05 s`, `3 h 07 m`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return nothing
  if (ms < 0) return `-${formatDuration(-ms)}`
  if (ms < 1) return ms === 0 ? '0 ms' : `${ms.toPrecision(2)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${pad(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 2880) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} m`
  return `${oneDigit.format(minutes / 1440)} d`
}

/** Axis ticks are round values: `50.0 s` and `5 m 00 s` add nothing to `50 s` and `5 m`, and zero needs no unit. */
export const tickText = (text: string): string =>
  /^0 m?s$/.test(text)
    ? '0'
    : text.replace(/\.0(?= s$)| 00 [sm]$/, '').replace(/(?<=^\$\d+\.\d\d\d*?)0+$/, '')

const pad = (value: number): string => String(value).padStart(2, '0')

/** `$0.0042`, `$12.30`, `$1,234`, `$12.3M`: with significant digits only. */
export function formatMoney(usd: number): string {
  if (!Number.isFinite(usd)) return nothing
  if (usd < 0) return `-${formatMoney(-usd)}`
  if (usd === 0) return '$0'
  if (usd < 0.000001) return '<$0.000001'
  const rounded = Number(usd.toPrecision(2))
  if (rounded < 0.1) return `$${rounded.toFixed(decimalsFor(rounded))}`
  if (usd < 999.995) return `$${usd.toFixed(2)}`
  return `$${usd < 10_000_000 ? wholeNumber.format(usd) : formatTokens(usd)}`
}

/** The decimals needed for two significant digits. */
const decimalsFor = (usd: number): number => Math.min(7, 1 - Math.floor(Math.log10(usd)))

/** `950`, `2,032`, `12.3k`, `3.4M`: a count that fits is exact, so that counts can be compared. */
export const formatCount = (count: number): string =>
  Number.isInteger(count) && Math.abs(count) < 10_000 ? exactNumber(count) : formatTokens(count)

/** `950`, `1.2k`, `3.4M`, `1.1B`. */
export function formatTokens(count: number): string {
  if (!Number.isFinite(count)) return nothing
  const size = Math.abs(count)
  if (size < 1000) return Number.isInteger(count) ? String(count) : oneDigit.format(count)
  for (const [limit, unit] of countUnits) {
    if (size < limit * 999.5) return `${threeDigits(count / limit)}${unit}`
  }
  return `${wholeNumber.format(count / 1e12)}T`
}

const countUnits = [
  [1e3, 'k'],
  [1e6, 'M'],
  [1e9, 'B'],
  [1e12, 'T'],
] as const

const threeDigits = (value: number): string =>
  Math.abs(value) < 99.95 ? oneDigit.format(value) : wholeNumber.format(value)

/** `12.5%`, `0.04%`; a share of 1. Values between 0% and 100% are never rounded to either. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return nothing
  if (share >= 0.9995 && share < 1) return '>99.9%'
  const format = share !== 0 && Math.abs(share) < 0.001 ? twoSignificant : oneDigit
  return `${format.format(share * 100)}%`
}

/** `0.83`, `4`, `1.2k`: an average of scores. */
export const formatScore = (score: number): string =>
  Math.abs(score) < 100 && Number.isFinite(score) ? String(Math.round(score * 100) / 100) : formatCount(score)

/** `0.80`, `1,234`, `-1.2M`: a mean in a column, with aligned decimals. */
export const formatMean = (mean: number): string =>
  Math.abs(mean) < 100 ? mean.toFixed(2) : formatCount(Math.round(mean))

/** All digits, grouped: shown when hovering over a shortened number. */
export const exactNumber = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString('en-US', { maximumFractionDigits: 12 }) : nothing

const ages = [
  [60_000, 1000, 's'],
  [3_600_000, 60_000, 'min'],
  [86_400_000, 3_600_000, 'h'],
  [2_592_000_000, 86_400_000, 'd'],
] as const

/** `just now`, `2 min ago`, `in 3 d`; the date if it is more than a month away. */
export function formatRelative(time: Date, now: Date, isUtc: boolean): string {
  const ageMs = now.getTime() - time.getTime()
  const size = Math.abs(ageMs)
  if (Number.isNaN(size)) return nothing
  if (size < 5000) return 'just now'
  for (const [limit, unit, name] of ages) {
    if (size >= limit) continue
    // "In 6.99 days" rounds to 7; "6.99 days ago" is not 7 days yet.
    return ageMs > 0 ? `${Math.floor(size / unit)} ${name} ago` : `in ${Math.round(size / unit)} ${name}`
  }
  return formatDate(time, isUtc)
}

/** `2026-03-09`, of local time or UTC. */
const formatDate = (time: Date, isUtc: boolean): string => formatInstant(time, isUtc).replace(/ .*/, '')

/** `2026-03-09 14:05:12.345`, of local time or UTC. */
export function formatInstant(time: Date, isUtc: boolean): string {
  if (Number.isNaN(time.getTime())) return nothing
  const shifted = isUtc ? time : new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  // The year after 9999 is written "+010000".
  return shifted.toISOString().replace(/^\+0/, '').replace('T', ' ').slice(0, -1)
}

/** The instant in local time with its offset, and in UTC: shown when hovering over a time. */
export function exactInstant(time: Date): string {
  if (Number.isNaN(time.getTime())) return nothing
  return `${formatInstant(time, false)} ${formatOffset(-time.getTimezoneOffset())}\n${formatInstant(time, true)} UTC`
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

/** `812 B`, `3.4 KB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let size = bytes / 1024
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${threeDigits(size)} ${units[unit]}`
}

/** The end of an id, which is its distinctive part: ids of one day start alike. */
export const shortId = (id: string): string => (id.length <= wholeIdMax ? id : `…${id.slice(-8)}`)

/** A custom id, such as `chat-1842`, is less meaningful in part. */
const wholeIdMax = 16
