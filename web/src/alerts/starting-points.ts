/** Alerts to start from, with thresholds that fit the last days of the workspace. Pure. */

import { exactNumber } from '../ui/text/format.ts'
import { type AlertValues, newAlert } from './alert-values.ts'
import { measures } from './measures.ts'

export const startingPoints = ['errors', 'cost', 'latency', 'score', 'silence'] as const
export type StartingPoint = (typeof startingPoints)[number]

export const isStartingPoint = (name: string | undefined): name is StartingPoint =>
  startingPoints.some((startingPoint) => startingPoint === name)

/** Figures for the last days; null or undefined if there are none. */
export interface Lately {
  /** The cost of the most expensive day, in US dollars. */
  readonly costOfDay: number | null | undefined
  readonly p95DurationMs: number | null | undefined
  readonly score: { readonly name: string; readonly mean: number } | undefined
}

/** The form values of each starting point. */
export function startingValues({
  costOfDay,
  p95DurationMs,
  score,
}: Lately): Readonly<Record<StartingPoint, AlertValues>> {
  const cost = roundUp(1.5 * (costOfDay || 10))
  const latencyMs = roundUp(2 * (p95DurationMs || 2500))
  const scoreName = score?.name ?? ''
  const threshold = Math.floor((score?.mean ?? 0.9) * 0.9 * 20) / 20
  return {
    errors: { ...newAlert, name: 'Error rate', recoveryThreshold: 0.03 },
    cost: {
      ...newAlert,
      name: 'Daily cost',
      measure: 'cost',
      threshold: cost,
      windowMinutes: 1440,
      minimumSamples: 1,
    },
    latency: {
      ...newAlert,
      name: 'Latency',
      measure: 'p95DurationMs',
      threshold: latencyMs,
      forMinutes: 5,
    },
    score: {
      ...newAlert,
      name: scoreName === '' ? 'Score' : `Score ${scoreName}`,
      measure: 'score',
      scoreName,
      condition: 'below',
      threshold,
      windowMinutes: 1440,
      delaySeconds: 300,
    },
    silence: {
      ...newAlert,
      name: 'No traffic',
      measure: 'traces',
      condition: 'below',
      threshold: 1,
      windowMinutes: 30,
      minimumSamples: 1,
    },
  }
}

/** A starting point in a few words: `Error rate above 5%`. */
export function describeStart(point: StartingPoint, values: AlertValues): string {
  if (point === 'silence') return 'No traces for 30 minutes'
  const { measure, scoreName, condition, threshold = 0 } = values
  const { label, format } = measures[measure]
  const subject = point === 'cost' ? 'Daily cost' : scoreName === '' ? label : `${label} ${scoreName}`
  const limit = point === 'cost' ? `$${exactNumber(threshold)}` : format(threshold)
  return `${subject} ${condition} ${limit}`
}

/** Rounds up to two significant digits. */
export function roundUp(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1)
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(2))
}
