/**
 * When the clocks of a time zone change, by the rules that the runtime has (`Intl`), so that the service and the web app
 * count the same days. The trace store's engine has rules of its own, of another date, and its calendar ends in 1900 and
 * 2299. Pure.
 *
 * A local time is written here as the milliseconds that UTC would show it at.
 */

/** A stretch of time in which clocks differ from UTC by the same. */
export interface ClockPeriod {
  readonly startMs: number
  /** What its clocks show less UTC. */
  readonly offsetMs: number
  /** The latest local time before it. It is later than the first one of the period where clocks were put back. */
  readonly latestBeforeMs: number
}

const secondMs = 1000
const dayMs = 86_400_000
const yearStart = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1)
const yearOf = (ms: number): number => new Date(ms).getUTCFullYear()

/** No zone had another clock than that of its own sun before. */
const firstYear = 1840
/** From here on rules repeat with the calendar, which is the same after 400 years. */
const repeatYear = 2500
const cycleYears = 400
export const cycleMs = 146_097 * dayMs
/** Periods from here on are those of `cycleMs` before. */
export const repeatMs = yearStart(repeatYear)

const formats = new Map<string, Intl.DateTimeFormat>()

/** Names come from requests, and each may be written in many ways. */
const formatsMax = 500

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone)
  if (cached !== undefined) return cached
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  if (formats.size >= formatsMax) formats.clear()
  formats.set(timeZone, format)
  return format
}

/** Whether it is the name of a zone, such as `Europe/Berlin`. */
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
  // What is named by its offset never changes.
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

/** The shortest time that clocks were changed for is of Freetown in 1939: not quite four days. */
const stepMs = 3 * dayMs
/** By the rules of today, which have no exceptions in later years, it is months. */
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

/** What touches a range, the earliest first; at least one. */
export function clockPeriods(timeZone: string, startMs: number, endMs: number): readonly ClockPeriod[] {
  // A change shortly before the range says which local times there have been.
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
      // They no longer show the time that they are changed at.
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

/** No clock is further from UTC: Manila and Alaska once counted the days of the other side of the date line. */
const offsetMaxMs = 16 * 3_600_000

/** When clocks first show a local time or a later one. */
export function instantOf(localMs: number, timeZone: string): number {
  const [startMs, endMs] = [localMs - offsetMaxMs, localMs + offsetMaxMs]
  const periods = clockPeriods(timeZone, startMs, endMs)
  for (const [index, period] of periods.entries()) {
    const instantMs = Math.max(period.startMs, localMs - period.offsetMs)
    if (instantMs < (periods[index + 1]?.startMs ?? Number.POSITIVE_INFINITY)) return instantMs
  }
  throw new Error('The last period has no end.')
}

/** The period of an instant. */
export function clockPeriodAt(ms: number, timeZone: string): ClockPeriod {
  return clockPeriods(timeZone, ms, ms + 1)[0]!
}
