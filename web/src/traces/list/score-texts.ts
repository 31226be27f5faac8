/** The scores of the traces in a list, by trace and name. Pure. */
import type { Score } from '@plumbline/sdk'

export interface ShownScore {
  /** The one given last. */
  readonly latest: Score
  readonly count: number
}

export type ScoresOf = (traceId: string, name: string) => ShownScore | undefined

/** Scores as the interface lists them, those given last first. */
export function scoresByTrace(scores: readonly Score[]): ScoresOf {
  const cells = new Map<string, ShownScore>()
  for (const score of scores) {
    const key = keyOf(score.traceId, score.name)
    const previous = cells.get(key)
    cells.set(key, { latest: previous?.latest ?? score, count: (previous?.count ?? 0) + 1 })
  }
  return (traceId, name) => cells.get(keyOf(traceId, name))
}

const keyOf = (traceId: string, name: string): string => `${traceId} ${name}`

/** The names of scores that columns show. */
export const scoreNamesOf = (columns: readonly string[] | undefined): readonly string[] =>
  (columns ?? []).flatMap((id) => (id.startsWith('score.') ? [id.slice('score.'.length)] : []))
