/** Times of the generated traffic: a daily and weekly rhythm, growth, and an afternoon with an incident at the model providers. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** No session starts in the last minutes, so that none ends in the future. */
const quietMs = 10 * 60_000

export interface Calendar {
  readonly startMs: number
  /** The latest start of a session. */
  readonly endMs: number
  /** The time at which a fraction of all traffic has arrived. */
  timeAt(fraction: number): number
  /** The fraction of the calendar before a time. */
  progressAt(ms: number): number
  /** Whether the incident at the model providers is in progress. */
  isIncident(ms: number): boolean
}

/** Relative traffic by hour, UTC: Europe's working day, then America's. */
const dayCurve = [
  6, 4, 3, 3, 4, 8, 18, 42, 74, 96, 100, 92, 70, 84, 98, 95, 82, 66, 48, 36, 28, 20, 14, 9,
] as const
/** Sunday first. */
const weekCurve = [0.22, 1, 1.08, 1.05, 1, 0.86, 0.3] as const

export function makeCalendar({ nowMs, days }: { nowMs: number; days: number }): Calendar {
  const endMs = nowMs - quietMs
  const startMs = endMs - days * dayMs
  const incidentMs = incidentDay(startMs, days)
  const progressAt = (ms: number): number => (ms - startMs) / (endMs - startMs)
  const hours = Math.ceil(days * 24)
  const cumulativeDemand = [0]
  for (let hour = 0; hour < hours; hour++) {
    const ms = startMs + hour * hourMs
    cumulativeDemand.push((cumulativeDemand[hour] ?? 0) + demandAt(ms) * (0.55 + 0.45 * progressAt(ms)))
  }
  const total = cumulativeDemand[hours] ?? 1
  return {
    startMs,
    endMs,
    progressAt,
    isIncident: (ms) => ms >= incidentMs && ms < incidentMs + 5 * hourMs,
    timeAt: (fraction) => {
      const target = fraction * total
      let low = 0
      let high = hours - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((cumulativeDemand[middle] ?? 0) <= target) low = middle
        else high = middle - 1
      }
      const from = cumulativeDemand[low] ?? 0
      const hourFraction = (target - from) / ((cumulativeDemand[low + 1] ?? total) - from)
      return Math.min(endMs, startMs + (low + hourFraction) * hourMs)
    },
  }
}

function demandAt(ms: number): number {
  const date = new Date(ms)
  return (dayCurve[date.getUTCHours()] ?? 1) * (weekCurve[date.getUTCDay()] ?? 1)
}

/** 13:00 UTC of the working day nearest to 70 % of the calendar. */
function incidentDay(startMs: number, days: number): number {
  const noon = new Date(startMs + days * 0.7 * dayMs)
  noon.setUTCHours(13, 0, 0, 0)
  while (noon.getUTCDay() % 6 === 0) noon.setTime(noon.getTime() - dayMs)
  return noon.getTime()
}
