/** Agreement of two raters beyond chance. */

export type Category = boolean | number | string

/** How much two categories differ, by their positions: 0 for the same. */
export type Disagreement = (first: number, second: number) => number

/** All differences are equal. */
const nominal: Disagreement = (first, second) => (first === second ? 0 : 1)
/** For ordered categories: the number of steps between them, or its square. */
export const linear: Disagreement = (first, second) => Math.abs(first - second)
export const quadratic: Disagreement = (first, second) => (first - second) ** 2

export interface Agreement {
  /** Number of subjects that both rated. */
  readonly count: number
  /** Proportion of equal ratings. */
  readonly observed: number
  /** 1 is full agreement, 0 is chance; undefined if full agreement is expected by chance. */
  readonly kappa: number | undefined
}

/**
 * Cohen's kappa of two raters (A Coefficient of Agreement for Nominal Scales, 1960), optionally weighted (Weighted Kappa,
 * 1968). The order of the categories matters for weights only. Undefined for no ratings.
 */
export function cohensKappa(
  ratings: readonly (readonly [first: Category, second: Category])[],
  categories: readonly Category[] = categoriesOf(ratings),
  disagreement: Disagreement = nominal,
): Agreement | undefined {
  const count = ratings.length
  if (count === 0) return undefined
  const places = new Map(categories.map((category, index) => [category, index]))
  const placeOf = (category: Category): number => {
    const place = places.get(category)
    if (place === undefined) throw new RangeError(`"${category}" is none of the categories.`)
    return place
  }
  const leftCounts = new Float64Array(categories.length)
  const rightCounts = new Float64Array(categories.length)
  let same = 0
  let observedDisagreement = 0
  for (const [left, right] of ratings) {
    const [row, column] = [placeOf(left), placeOf(right)]
    leftCounts[row]! += 1
    rightCounts[column]! += 1
    if (row === column) same += 1
    observedDisagreement += disagreement(row, column)
  }
  // Both are sums over pairs, and the division comes last: with whole numbers, equal values have no rounding error.
  const byChance =
    disagreement === nominal
      ? count ** 2 - sameByChance(leftCounts, rightCounts)
      : differenceByChance(leftCounts, rightCounts, disagreement)
  return {
    count,
    observed: same / count,
    kappa: byChance === 0 ? undefined : 1 - (observedDisagreement * count) / byChance,
  }
}

/**
 * Without weights, only equal pairs count. This avoids a loop over all pairs: there can be as many free-text categories as
 * ratings.
 */
const sameByChance = (leftCounts: Float64Array, rightCounts: Float64Array): number =>
  leftCounts.reduce((sum, leftCount, index) => sum + leftCount * rightCounts[index]!, 0)

function differenceByChance(
  leftCounts: Float64Array,
  rightCounts: Float64Array,
  disagreement: Disagreement,
): number {
  let sum = 0
  for (const [row, leftCount] of leftCounts.entries())
    for (const [column, rightCount] of rightCounts.entries())
      sum += disagreement(row, column) * leftCount * rightCount
  return sum
}

/** All categories in use: numbers in numeric order, others sorted as text. */
function categoriesOf(ratings: readonly (readonly [Category, Category])[]): Category[] {
  const used = [...new Set(ratings.flat())]
  return used.every((category) => typeof category === 'number')
    ? used.toSorted((first, second) => first - second)
    : used.toSorted()
}
