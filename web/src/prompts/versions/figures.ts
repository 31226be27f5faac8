/** The cost, speed and scores of each version, from metrics queries. Pure. */
import type { PromptVersion } from '@plumbline/sdk'
import { type MetricsRow, numberIn, numberOrNull } from '../prompt-usage.ts'

export interface VersionFigures {
  readonly version: string
  readonly tags: readonly string[]
  readonly uses: number
  readonly errors: number
  readonly cost: number | null
  readonly costPerUse: number | null
  readonly tokensPerUse: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  /** Mean of each score, by its name. */
  readonly scores: ReadonlyMap<string, number>
}

/** A row for every version, newest first, including unused ones. */
export function figuresOf(
  versions: readonly Pick<PromptVersion, 'version' | 'tags'>[],
  usage: readonly MetricsRow[],
  scores: readonly MetricsRow[],
): readonly VersionFigures[] {
  return versions.map(({ version, tags }) => {
    const row = usage.find(({ promptVersion }) => promptVersion === version)
    const uses = numberIn(row, 'logs')
    const cost = numberOrNull(row, 'cost')
    return {
      version,
      tags,
      uses,
      errors: numberIn(row, 'errors'),
      cost,
      costPerUse: cost === null || uses === 0 ? null : cost / uses,
      tokensPerUse: uses === 0 ? null : Math.round(numberIn(row, 'totalTokens') / uses),
      p50Ms: numberOrNull(row, 'p50DurationMs'),
      p95Ms: numberOrNull(row, 'p95DurationMs'),
      scores: new Map(
        scores.flatMap((score) => {
          const mean = numberOrNull(score, 'avgScore')
          return score.promptVersion === version && mean !== null ? [[String(score.scoreName), mean]] : []
        }),
      ),
    }
  })
}

/** The names of scores, the most frequent first. */
export function scoreNames(scores: readonly MetricsRow[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const row of scores) {
    const name = String(row.scoreName)
    if (numberOrNull(row, 'avgScore') !== null)
      counts.set(name, (counts.get(name) ?? 0) + numberIn(row, 'scores'))
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
}
