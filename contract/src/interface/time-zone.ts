/**
 * When the clocks of a time zone change, by the rules of the runtime (`Intl`), so that the service and the web app count
 * the same days. The trace store's engine has rules of its own, of a different release, and its calendar covers only 1900
 * to 2299. Pure.
 *
 * A local time is represented here by the milliseconds at which UTC would show it.
 */

/** A period in which clocks have a constant offset from UTC. */
export interface ClockPeriod {
  readonly startMs: number
  /** Local time minus UTC. */
  readonly offsetMs: number
  /** The latest local time before the period. It is later than the period's first local time if clocks were put back. */
  readonly latestBeforeMs: number
}

const secondMs = 1000
const dayMs = 86_400_000
const yearStart = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1)
const yearOf = (ms: number): number => new Date(ms).getUTCFullYear()

/** Before this year, every zone kept its local solar time. */
const firstYear = 1840
/** From this year on, rules repeat with the calendar, which has a cycle of 400 years. */
const repeatYear = 2500
const cycleYears = 400
export const cycleMs = 146_097 * dayMs
/** From this instant on, periods equal those `cycleMs` earlier. */
export const repeatMs = yearStart(repeatYear)

const formats = new Map<string, Intl.DateTimeFormat>()

/** Bounded, since names come from requests and a zone can be spelled in many ways. */
const formatsMax = 500

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone)
  if (cached !== undefined) return cached
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  if (formats.size >= formatsMax) formats.clear()
  formats.set(timeZone, format)
  return format
}

/** Whether a text is the name of a zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** `GMT-04:56:02`, at the end of a date. */
const offsetPattern = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/

function offsetAt(timeZone: string, ms: number): number {
  if (timeZone === 'UTC') return 0
  const [, sign, hours, minutes, seconds = '0'] = offsetPattern.exec(formatOf(timeZone).format(ms)) ?? []
  // Some runtimes write plain `GMT` for UTC.
  if (sign === undefined) return 0
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -size : size) * secondMs
}

interface ClockChange {
  readonly atMs: number
  readonly offsetMs: number
}

const changesOfYears = new Map<string, readonly ClockChange[]>()
const yearsMax = 20_000

/** When the clocks of a zone change in a year of UTC. */
function changesIn(timeZone: string, year: number): readonly ClockChange[] {
  // A zone named by its offset never changes.
  if (timeZone === 'UTC' || /^[+-]/.test(timeZone) || year < firstYear) return []
  if (year >= repeatYear) {
    const cycles = Math.floor((year - repeatYear) / cycleYears) + 1
    const laterMs = cycles * cycleMs
    return changesIn(timeZone, year - cycles * cycleYears).map(({ atMs, offsetMs }) => ({
      atMs: atMs + laterMs,
      offsetMs,
    }))
  }
  const key = `${formatOf(timeZone).resolvedOptions().timeZone} ${year}`
  const cached = changesOfYears.get(key)
  if (cached !== undefined) return cached
  const changes = findChanges(timeZone, year)
  if (changesOfYears.size >= yearsMax) changesOfYears.clear()
  changesOfYears.set(key, changes)
  return changes
}

/** Shorter than any period between two clock changes: the shortest, in Freetown in 1939, lasted not quite four days. */
const stepMs = 3 * dayMs
/** In later years, today's rules apply without exceptions, and the periods last months. */
const lateStepMs = 40 * dayMs
const exceptionYearMax = 2100

function findChanges(timeZone: string, year: number): readonly ClockChange[] {
  const changes: ClockChange[] = []
  const endMs = yearStart(year + 1)
  const step = year > exceptionYearMax ? lateStepMs : stepMs
  let [ms, offsetMs] = [yearStart(year), offsetAt(timeZone, yearStart(year))]
  while (ms < endMs) {
    const nextMs = Math.min(ms + step, endMs)
    const nextOffsetMs = offsetAt(timeZone, nextMs)
    if (nextOffsetMs !== offsetMs)
      changes.push({ atMs: changeBetween(timeZone, ms, nextMs), offsetMs: nextOffsetMs })
    ;[ms, offsetMs] = [nextMs, nextOffsetMs]
  }
  return changes
}

/** The first second with the offset of the end. */
function changeBetween(timeZone: string, startMs: number, endMs: number): number {
  const offsetMs = offsetAt(timeZone, endMs)
  let [before, after] = [startMs, endMs]
  while (after - before > secondMs) {
    const middle = before + Math.floor((after - before) / 2 / secondMs) * secondMs
    if (offsetAt(timeZone, middle) === offsetMs) after = middle
    else before = middle
  }
  return after
}

/** The periods that overlap a range, the earliest first; at least one. */
export function clockPeriods(timeZone: string, startMs: number, endMs: number): readonly ClockPeriod[] {
  // A change shortly before the range determines which local times have already been shown.
  const years = { first: yearOf(startMs - dayMs), last: yearOf(endMs) }
  const baseMs = yearStart(years.first)
  const baseOffsetMs = offsetAt(timeZone, baseMs)
  const periods: ClockPeriod[] = [
    { startMs: baseMs, offsetMs: baseOffsetMs, latestBeforeMs: baseMs + baseOffsetMs },
  ]
  const yearsWithChanges = Math.max(years.first, Math.min(firstYear, years.last))
  for (let year = yearsWithChanges; year <= years.last; year++)
    for (const { atMs, offsetMs } of changesIn(timeZone, year)) {
      const before = periods.at(-1)!
      // The local time of the change itself is no longer shown.
      const latestBeforeMs = Math.max(before.latestBeforeMs, atMs + before.offsetMs - 1)
      if (before.offsetMs === offsetMs) continue
      if (atMs === before.startMs) periods.pop()
      periods.push({ startMs: atMs, offsetMs, latestBeforeMs })
    }
  const isAfter = (period: ClockPeriod): boolean => period.startMs >= endMs && period.startMs > startMs
  return periods.filter(
    (period, index) =>
      !isAfter(period) && (periods[index + 1]?.startMs ?? Number.POSITIVE_INFINITY) > startMs,
  )
}

/** The largest offset from UTC: Manila and Alaska once used the date of the other side of the date line. */
const offsetMaxMs = 16 * 3_600_000

/** The instant at which clocks first show a local time or a later one. */
export function instantOf(localMs: number, timeZone: string): number {
  const [startMs, endMs] = [localMs - offsetMaxMs, localMs + offsetMaxMs]
  const periods = clockPeriods(timeZone, startMs, endMs)
  for (const [index, period] of periods.entries()) {
    const instantMs = Math.max(period.startMs, localMs - period.offsetMs)
    if (instantMs < (periods[index + 1]?.startMs ?? Number.POSITIVE_INFINITY)) return instantMs
  }
  throw new Error('The last period has no end.')
}

/** The period that contains an instant. */
export function clockPeriodAt(ms: number, timeZone: string): ClockPeriod {
  return clockPeriods(timeZone, ms, ms + 1)[0]!
}
