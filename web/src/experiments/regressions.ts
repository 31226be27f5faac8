/** The measures by which a case is worse than in the baseline. Pure. */
import type { Output } from '../app/api.ts'
import { formatDelta, isScore, judge, measureLabel } from './measures.ts'

type Comparison = Output<'experiments.compare'>

/**
 * `Worse: failed, correct −1`; scores and failures make a regression, cost and duration do not. With several
 * candidates, each worse one is named.
 */
export function describeRegression(
  { cells }: Pick<Comparison['cases'][number], 'cells'>,
  { experiments, baselineId }: Pick<Comparison, 'experiments' | 'baselineId'>,
  lowerIsBetter: ReadonlySet<string>,
): string {
  const failedBefore = (cells.find(({ experimentId }) => experimentId === baselineId)?.errors ?? 0) > 0
  const candidates = cells.filter(({ experimentId }) => experimentId !== baselineId)
  const reasons = candidates.flatMap(({ experimentId, errors, deltas }) => {
    const worse = Object.entries(deltas).flatMap(([name, delta]) =>
      isScore(name) && judge(delta, lowerIsBetter.has(name)) === 'worse'
        ? [`${measureLabel(name)} ${formatDelta(name, delta)}`]
        : [],
    )
    const list = [...(errors > 0 && !failedBefore ? ['failed'] : []), ...worse].join(', ')
    if (list === '' || candidates.length === 1) return list === '' ? [] : [list]
    return [`${list} (${experiments.find(({ id }) => id === experimentId)?.name ?? experimentId})`]
  })
  return reasons.length === 0 ? 'Worse' : `Worse: ${reasons.join('; ')}`
}
