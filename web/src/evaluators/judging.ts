/** An evaluator's scores over time by version, and their cost. Pure. */
import { nearestTime } from '../ui/charts/nearest-time.ts'
import { type MetricRow, type Steps, type Trend, timesOf, trendsOf } from './scores/trends.ts'

export interface Judging {
  readonly times: readonly Date[]
  /** By version, the earliest first. */
  readonly byVersion: readonly { readonly version: number; readonly trend: Trend }[]
  /** US dollars per step; null if no score has a cost. */
  readonly costs: readonly (number | null)[]
  /** US dollars in total; null if no score has a cost. */
  readonly cost: number | null
}

/** From rows of `metrics.query`, grouped by score name and evaluator version. */
export function judgingOf(rows: readonly MetricRow[], slug: string, steps: Steps): Judging {
  const own = rows.filter(
    ({ scoreName, evaluatorVersion }) => scoreName === slug && evaluatorVersion !== null,
  )
  const byVersion = trendsOf(
    own.map((row) => ({ ...row, scoreName: String(row.evaluatorVersion) })),
    steps,
  )
  const times = timesOf(steps)
  const costs = times.map((time) =>
    sumOf(own.filter((row) => nearestTime(times, row.time) === time.getTime())),
  )
  return {
    times,
    byVersion: [...byVersion]
      .map(([version, trend]) => ({ version: Number(version), trend }))
      .sort((a, b) => a.version - b.version),
    costs,
    cost: sumOf(own),
  }
}

function sumOf(rows: readonly MetricRow[]): number | null {
  const costs = rows.map(({ scoreCost }) => scoreCost).filter((cost) => typeof cost === 'number')
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0)
}
