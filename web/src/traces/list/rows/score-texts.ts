/** The scores of the traces in a list, by trace and name. Pure. */
import type { Score } from '@plumbline/sdk'

export interface ShownScore {
  /** The latest one. */
  readonly latest: Score
  readonly count: number
}

export type ScoresOf = (traceId: string, name: string) => ShownScore | undefined

export interface ListScores {
  readonly scoresOf: ScoresOf
  /** The latest score of each name, by name. */
  readonly allOf: (traceId: string) => readonly ShownScore[]
}

const none: readonly ShownScore[] = []

/** Scores in the order of the API, latest first. */
export function scoresByTrace(scores: readonly Score[]): ListScores {
  const byTrace = new Map<string, Map<string, ShownScore>>()
  for (const score of scores) {
    const names = byTrace.get(score.traceId) ?? new Map<string, ShownScore>()
    byTrace.set(score.traceId, names)
    const previous = names.get(score.name)
    names.set(score.name, { latest: previous?.latest ?? score, count: (previous?.count ?? 0) + 1 })
  }
  const lists = new Map(
    [...byTrace].map(([id, names]) => [
      id,
      [...names.values()].sort((a, b) => a.latest.name.localeCompare(b.latest.name)),
    ]),
  )
  return {
    scoresOf: (traceId, name) => byTrace.get(traceId)?.get(name),
    allOf: (traceId) => lists.get(traceId) ?? none,
  }
}

/** Whether a list with these columns shows scores, as it does by default. */
export const showsScores = (columnIds: readonly string[] | undefined): boolean =>
  columnIds?.some((id) => id === 'scores' || id.startsWith('score.')) ?? true
