/** How two measures of the same things go together. */

/** Pearson's correlation, from -1 to 1; undefined where one of the two never changes, or of fewer than two pairs. */
export function pearson(pairs: readonly (readonly [number, number])[]): number | undefined {
  const count = pairs.length
  if (count < 2) return undefined
  const meanOf = (at: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[at], 0) / count
  const [meanX, meanY] = [meanOf(0), meanOf(1)]
  let [xx, yy, xy] = [0, 0, 0]
  for (const [x, y] of pairs) {
    xx += (x - meanX) ** 2
    yy += (y - meanY) ** 2
    xy += (x - meanX) * (y - meanY)
  }
  return xx === 0 || yy === 0 ? undefined : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)))
}

/** Spearman's correlation: Pearson's of the ranks, of which equal values share the mean. */
export function spearman(pairs: readonly (readonly [number, number])[]): number | undefined {
  const first = ranksOf(pairs.map(([x]) => x))
  const second = ranksOf(pairs.map(([, y]) => y))
  return pearson(pairs.map((_, at) => [first[at]!, second[at]!]))
}

function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((one, other) => values[one]! - values[other]!)
  const ranks = new Array<number>(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && values[order[end]!] === values[order[start]!]) end += 1
    for (let at = start; at < end; at++) ranks[order[at]!] = (start + end + 1) / 2
    start = end
  }
  return ranks
}
