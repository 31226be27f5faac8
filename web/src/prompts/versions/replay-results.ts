/** Sums up replays: the number of equal outputs, and each evaluator's verdicts on the others. Pure. */
import type { Replay, ReplayScore } from '@plumbline/sdk'

export interface ScoreChange {
  readonly evaluatorSlug: string
  readonly better: number
  readonly worse: number
  readonly same: number
}

export interface ReplaySummary {
  readonly same: number
  readonly changed: number
  readonly failed: number
  /** Of the replayed calls; null if none has a known cost. */
  readonly cost: number | null
  readonly scores: readonly ScoreChange[]
}

type Change = 'better' | 'worse' | 'same'

/** The change of a score; undefined if either side has none, or if categories differ, since they have no order. */
export function changeOf(
  previous: ReplayScore | undefined,
  next: ReplayScore | undefined,
): Change | undefined {
  const [old, value] = [previous?.value ?? null, next?.value ?? null]
  if (old === null || value === null) return undefined
  if (old === value) return 'same'
  if (typeof old === 'string' || typeof value === 'string') return undefined
  return Number(value) > Number(old) ? 'better' : 'worse'
}

export function summarize(replays: readonly Replay[]): ReplaySummary {
  const replayed = replays.flatMap((replay) => replay.replayed ?? [])
  const costs = replayed.flatMap(({ cost }) => cost ?? [])
  const slugs = new Set(
    replays.flatMap(({ recorded }) => recorded.scores.map((score) => score.evaluatorSlug)),
  )
  const isOf =
    (slug: string) =>
    ({ evaluatorSlug }: ReplayScore): boolean =>
      evaluatorSlug === slug
  return {
    same: replays.filter(({ isSame }) => isSame).length,
    changed: replayed.length - replays.filter(({ isSame }) => isSame).length,
    failed: replays.length - replayed.length,
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    scores: [...slugs].map((evaluatorSlug) => {
      const changes = replays.map((replay) =>
        changeOf(
          replay.recorded.scores.find(isOf(evaluatorSlug)),
          replay.replayed?.scores.find(isOf(evaluatorSlug)),
        ),
      )
      const count = (change: Change): number => changes.filter((each) => each === change).length
      return { evaluatorSlug, better: count('better'), worse: count('worse'), same: count('same') }
    }),
  }
}
