/** The selected time range, as the address states it: `24h`, or `from..to` in ISO 8601. */

export interface Range {
  /** As the address has it. */
  readonly text: string
  readonly from: Date
  /** Absent where the range ends now. */
  readonly to: Date | undefined
  readonly label: string
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

/** Whole days of this device's time zone. */
export function wholeDays(
  now: Date,
): readonly { readonly label: string; readonly range: readonly [Date, Date] }[] {
  const midnight = (daysAgo: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)
  return [
    { label: 'Today', range: [midnight(0), midnight(-1)] },
    { label: 'Yesterday', range: [midnight(1), midnight(0)] },
  ]
}

/** A range that ends now moves in steps, so that requests within a step are equal and cached. */
const stepMs = 60_000

/** The range that a text states; the default where it states none that can be. */
export function readRange(text: string | undefined, now: Date): Range {
  const preset = presets.find((candidate) => candidate.text === text)
  if (preset !== undefined) {
    const end = Math.floor(now.getTime() / stepMs) * stepMs
    return { text: preset.text, from: new Date(end - preset.ms), to: undefined, label: preset.label }
  }
  const [from, to] = (text ?? '').split('..').map((instant) => new Date(instant))
  if (from !== undefined && to !== undefined && from < to) {
    return { text: rangeBetween(from, to), from, to, label: labelOf(from, to) }
  }
  return readRange(defaultRange, now)
}

/** How the address states a range between two instants, to the second. */
export const rangeBetween = (from: Date, to: Date): string => `${toSecond(from)}..${toSecond(to)}`

const toSecond = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z')

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const minute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

function labelOf(from: Date, to: Date): string {
  const format = to.getTime() - from.getTime() > 3 * 24 * hourMs ? day : minute
  return `${format.format(from)} – ${format.format(to)}`
}
