/** Correlation of two measures. */
import { differenceOf } from '@plumbline/contract/difference'

/** Pearson's correlation, from -1 to 1; undefined if a measure is constant, or for fewer than two pairs. */
export function pearson(pairs: readonly (readonly [number, number])[]): number | undefined {
  const count = pairs.length
  if (count < 2) return undefined
  const meanOf = (index: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[index], 0) / count
  const [meanX, meanY] = [meanOf(0), meanOf(1)]
  let [xx, yy, xy] = [0, 0, 0]
  for (const [x, y] of pairs) {
    const [deviationX, deviationY] = [differenceOf(x, meanX), differenceOf(y, meanY)]
    xx += deviationX ** 2
    yy += deviationY ** 2
    xy += deviationX * deviationY
  }
  return xx === 0 || yy === 0 ? undefined : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)))
}

/** Spearman's correlation: Pearson's of the ranks; ties share their mean rank. */
export function spearman(pairs: readonly (readonly [number, number])[]): number | undefined {
  const first = ranksOf(pairs.map(([x]) => x))
  const second = ranksOf(pairs.map(([, y]) => y))
  return pearson(pairs.map((_, index) => [first[index]!, second[index]!]))
}

function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((first, second) => values[first]! - values[second]!)
  const ranks = new Array<number>(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && values[order[end]!] === values[order[start]!]) end += 1
    for (let index = start; index < end; index++) ranks[order[index]!] = (start + end + 1) / 2
    start = end
  }
  return ranks
}
