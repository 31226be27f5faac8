/** When things happen: a daily and weekly rhythm, growth, and one day on which the models' makers had trouble. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Nothing begins in the last minutes, so that nothing ends in the future. */
const quietMs = 10 * 60_000

export interface Calendar {
  readonly startMs: number
  /** Until when anything may begin. */
  readonly endMs: number
  /** The time by which a share of all traffic (0 to 1) has come. */
  timeAt(share: number): number
  /** How much of the calendar has passed at a time, 0 to 1. */
  passedAt(ms: number): number
  /** Whether the models' makers have trouble at a time. */
  isIncident(ms: number): boolean
}

/** Requests of each hour of a day, UTC, for people who work in Europe and, later, in America. */
const dayCurve = [
  6, 4, 3, 3, 4, 8, 18, 42, 74, 96, 100, 92, 70, 84, 98, 95, 82, 66, 48, 36, 28, 20, 14, 9,
] as const
/** Sunday first. */
const weekCurve = [0.22, 1, 1.08, 1.05, 1, 0.86, 0.3] as const

export function makeCalendar({ nowMs, days }: { nowMs: number; days: number }): Calendar {
  const endMs = nowMs - quietMs
  const startMs = endMs - days * dayMs
  const incidentMs = incidentDay(startMs, days)
  const passedAt = (ms: number): number => (ms - startMs) / (endMs - startMs)
  const hours = Math.ceil(days * 24)
  const reached = [0]
  for (let hour = 0; hour < hours; hour++) {
    const ms = startMs + hour * hourMs
    reached.push((reached[hour] ?? 0) + demandAt(ms) * (0.55 + 0.45 * passedAt(ms)))
  }
  const all = reached[hours] ?? 1
  return {
    startMs,
    endMs,
    passedAt,
    isIncident: (ms) => ms >= incidentMs && ms < incidentMs + 5 * hourMs,
    timeAt: (share) => {
      const wanted = share * all
      let low = 0
      let high = hours - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((reached[middle] ?? 0) <= wanted) low = middle
        else high = middle - 1
      }
      const from = reached[low] ?? 0
      const within = (wanted - from) / ((reached[low + 1] ?? all) - from)
      return Math.min(endMs, startMs + (low + within) * hourMs)
    },
  }
}

function demandAt(ms: number): number {
  const at = new Date(ms)
  return (dayCurve[at.getUTCHours()] ?? 1) * (weekCurve[at.getUTCDay()] ?? 1)
}

/** Thirteen o'clock of the working day nearest to seven tenths of the calendar. */
function incidentDay(startMs: number, days: number): number {
  const noon = new Date(startMs + days * 0.7 * dayMs)
  noon.setUTCHours(13, 0, 0, 0)
  while (noon.getUTCDay() % 6 === 0) noon.setTime(noon.getTime() - dayMs)
  return noon.getTime()
}
