/** Alerts to start from, with thresholds that fit what the workspace has seen of late. Pure. */
import { type Draft, emptyDraft } from './draft.ts'
import { measures } from './measures.ts'

export const startingPoints = ['errors', 'cost', 'latency', 'score', 'silence'] as const
export type StartingPoint = (typeof startingPoints)[number]

export const isStartingPoint = (name: string | undefined): name is StartingPoint =>
  startingPoints.some((known) => known === name)

/** What the last days were like; null and undefined where nothing tells. */
export interface Lately {
  /** US dollars of the dearest day. */
  readonly costOfDay: number | null | undefined
  readonly p95DurationMs: number | null | undefined
  readonly score: { readonly name: string; readonly mean: number } | undefined
}

/** The drafts by their starting point. */
export function draftsFor({
  costOfDay,
  p95DurationMs,
  score,
}: Lately): Readonly<Record<StartingPoint, Draft>> {
  const cost = String(roundUp(1.5 * (costOfDay || 10)))
  const seconds = String(roundUp((2 * (p95DurationMs || 2500)) / 1000))
  const scoreName = score?.name ?? ''
  const least = String(Math.floor((score?.mean ?? 0.9) * 0.9 * 20) / 20)
  return {
    errors: { ...emptyDraft, name: 'Error rate', recovery: '3' },
    cost: {
      ...emptyDraft,
      name: 'Daily cost',
      measure: 'cost',
      threshold: cost,
      windowMinutes: 1440,
      minimumSamples: '1',
    },
    latency: {
      ...emptyDraft,
      name: 'Latency',
      measure: 'p95DurationMs',
      threshold: seconds,
      forMinutes: '5',
    },
    score: {
      ...emptyDraft,
      name: scoreName === '' ? 'Score' : `Score ${scoreName}`,
      measure: 'score',
      scoreName,
      condition: 'below',
      threshold: least,
      windowMinutes: 1440,
      delaySeconds: '300',
    },
    silence: {
      ...emptyDraft,
      name: 'No traffic',
      measure: 'traces',
      condition: 'below',
      threshold: '1',
      windowMinutes: 30,
      minimumSamples: '1',
    },
  }
}

/** What a starting point is, in words. */
export function startInWords(point: StartingPoint, draft: Draft): string {
  if (point === 'silence') return 'No traces for 30 minutes'
  const { label } = measures[draft.measure]
  const threshold =
    draft.measure === 'cost'
      ? `$${draft.threshold}`
      : draft.measure === 'errorRate'
        ? `${draft.threshold}%`
        : draft.measure === 'score'
          ? draft.threshold
          : `${draft.threshold} s`
  const what =
    point === 'cost' ? 'Daily cost' : draft.scoreName === '' ? label : `${label} ${draft.scoreName}`
  return `${what} ${draft.condition} ${threshold}`
}

/** To the next number of two digits. */
export function roundUp(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1)
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(2))
}
