/** By which measures a case is worse than in the baseline. Pure. */
import type { Output } from '../app/api.ts'
import { formatDelta, isScore, judge, measureLabel } from './measures.ts'

type ComparedCase = Pick<Output<'experiments.compare'>['cases'][number], 'cells'>

/** `Worse: correct −1, failed`; scores and failures make a regression, cost and duration do not. */
export function describeRegression(
  { cells }: ComparedCase,
  baselineId: string,
  lowerIsBetter: ReadonlySet<string>,
): string {
  const failedBefore = (cells.find(({ experimentId }) => experimentId === baselineId)?.errors ?? 0) > 0
  const candidates = cells.filter(({ experimentId }) => experimentId !== baselineId)
  const worse = candidates.flatMap(({ deltas }) =>
    Object.entries(deltas).flatMap(([name, delta]) =>
      isScore(name) && judge(delta, lowerIsBetter.has(name)) === 'worse'
        ? [`${measureLabel(name)} ${formatDelta(name, delta)}`]
        : [],
    ),
  )
  const isNewlyFailed = !failedBefore && candidates.some(({ errors }) => errors > 0)
  const reasons = [...(isNewlyFailed ? ['failed'] : []), ...new Set(worse)]
  return reasons.length === 0 ? 'Worse' : `Worse: ${reasons.join(', ')}`
}
