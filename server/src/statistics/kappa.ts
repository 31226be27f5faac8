/** How much two raters agree beyond what chance would make them. */

export type Category = boolean | number | string

/** How much two categories differ, by their places in the order: 0 for the same. */
export type Disagreement = (one: number, other: number) => number

/** Any two categories differ alike. */
export const nominal: Disagreement = (one, other) => (one === other ? 0 : 1)
/** Of categories in an order: by how many steps they are apart, or by the square of that. */
export const linear: Disagreement = (one, other) => Math.abs(one - other)
export const quadratic: Disagreement = (one, other) => (one - other) ** 2

export interface Agreement {
  /** How many were rated by both. */
  readonly count: number
  /** Share on which both say the same. */
  readonly observed: number
  /** 1 for full agreement, 0 for what chance would make; undefined where chance alone would make them agree. */
  readonly kappa: number | undefined
}

/**
 * Cohen's kappa of what two raters said of the same things (A Coefficient of Agreement for Nominal Scales, 1960), with
 * weights where one is given (Weighted Kappa, 1968). The categories are in their order, which counts for weights only;
 * undefined for no ratings.
 */
export function cohensKappa(
  ratings: readonly (readonly [one: Category, other: Category])[],
  categories: readonly Category[] = categoriesOf(ratings),
  disagreement: Disagreement = nominal,
): Agreement | undefined {
  const count = ratings.length
  if (count === 0) return undefined
  const places = new Map(categories.map((category, at) => [category, at]))
  const placeOf = (category: Category): number => {
    const place = places.get(category)
    if (place === undefined) throw new RangeError(`"${category}" is none of the categories.`)
    return place
  }
  const ones = new Float64Array(categories.length)
  const others = new Float64Array(categories.length)
  let same = 0
  let found = 0
  for (const [one, other] of ratings) {
    const [row, column] = [placeOf(one), placeOf(other)]
    ones[row]! += 1
    others[column]! += 1
    if (row === column) same += 1
    found += disagreement(row, column) / count
  }
  let byChance = 0
  for (let row = 0; row < categories.length; row++)
    for (let column = 0; column < categories.length; column++)
      byChance += (disagreement(row, column) * ones[row]! * others[column]!) / count ** 2
  return { count, observed: same / count, kappa: byChance === 0 ? undefined : 1 - found / byChance }
}

/** All that were used: numbers in their order, the rest as texts are sorted. */
function categoriesOf(ratings: readonly (readonly [Category, Category])[]): Category[] {
  const used = [...new Set(ratings.flat())]
  return used.every((of) => typeof of === 'number')
    ? used.toSorted((one, other) => one - other)
    : used.toSorted()
}
