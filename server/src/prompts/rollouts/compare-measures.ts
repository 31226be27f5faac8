/** Compares baseline and candidate, measure by measure. */
import type { RolloutMeasure } from '@plumbline/contract'
import type { UserSums, VersionScore, VersionSums } from '@plumbline/storage/traces'
import {
  differenceOfMeans,
  differenceOfShares,
  type Estimate,
  meanOf,
  shareOf,
} from '../../statistics/two-means.ts'

const ofCalls = [
  { name: 'cost', isShare: false },
  { name: 'durationMs', isShare: false },
  { name: 'errorRate', isShare: true },
  { name: 'tokens', isShare: false },
] as const

/** The cost, duration, failures and size of calls; for all of these, less is better. */
export const callMeasures = (
  baseline: VersionSums | undefined,
  candidate: VersionSums | undefined,
): RolloutMeasure[] =>
  ofCalls.map(({ name, isShare }) =>
    measureOf({ name, isShare, lowerIsBetter: true }, baseline?.measures[name], candidate?.measures[name]),
  )

/** Scores by name; a name counts as a proportion if all its scores are yes or no. */
export function scoreMeasures(
  scores: readonly VersionScore[],
  baselineVersion: string,
  candidateVersion: string,
): RolloutMeasure[] {
  const byName = Map.groupBy(scores, ({ name }) => name)
  return [...byName].map(([name, scores]) => {
    const sumsOf = (version: string) => scores.find((score) => score.version === version)?.sums
    const isShare = scores.every(({ isBoolean }) => isBoolean)
    return measureOf(
      { name: `score.${name}`, isShare, lowerIsBetter: false },
      sumsOf(baselineVersion),
      sumsOf(candidateVersion),
    )
  })
}

function measureOf(
  measure: Pick<RolloutMeasure, 'name' | 'isShare' | 'lowerIsBetter'>,
  baseline: UserSums | undefined,
  candidate: UserSums | undefined,
): RolloutMeasure {
  const [estimate, difference] = measure.isShare ? [shareOf, differenceOfShares] : [meanOf, differenceOfMeans]
  const toInterval = (sums: UserSums | undefined) => {
    const result = sums && estimate(sums)
    return sums === undefined || result === undefined
      ? null
      : { count: sums.count, mean: result.mean, ...boundsOf(result) }
  }
  const result = baseline && candidate && difference(baseline, candidate)
  return {
    ...measure,
    baseline: toInterval(baseline),
    candidate: toInterval(candidate),
    difference: result === undefined ? null : { value: result.mean, ...boundsOf(result) },
  }
}

const boundsOf = ({ interval }: Estimate) => ({ low: interval?.low ?? null, high: interval?.high ?? null })
