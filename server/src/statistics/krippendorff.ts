import type { Category } from './kappa.ts'

/** How much two categories differ: 0 for the same. */
export type Difference = (first: Category, second: Category) => number

/** All differences are equal. */
export const nominalDifference: Difference = (first, second) => (first === second ? 0 : 1)
/** For numbers: the squared difference. */
export const intervalDifference: Difference = (first, second) => (Number(first) - Number(second)) ** 2

/**
 * Krippendorff's alpha (Computing Krippendorff's Alpha-Reliability, 2011) for any number of raters and missing ratings: 1
 * is full agreement, 0 is chance. Units with a single rating are ignored. Undefined if no unit has two ratings, or if all
 * ratings are the same.
 */
export function krippendorffsAlpha(
  units: readonly (readonly Category[])[],
  difference: Difference = nominalDifference,
): number | undefined {
  const pairable = units.filter((values) => values.length > 1)
  const totals = new Map<Category, number>()
  let count = 0
  let observedDisagreement = 0
  for (const values of pairable) {
    const counts = new Map<Category, number>()
    for (const value of values) {
      counts.set(value, (counts.get(value) ?? 0) + 1)
      totals.set(value, (totals.get(value) ?? 0) + 1)
      count += 1
    }
    let weightedSum = 0
    for (const [left, leftCount] of counts)
      for (const [right, rightCount] of counts)
        weightedSum += leftCount * rightCount * difference(left, right)
    observedDisagreement += weightedSum / (values.length - 1)
  }
  let byChance = 0
  for (const [left, leftCount] of totals)
    for (const [right, rightCount] of totals) byChance += leftCount * rightCount * difference(left, right)
  return byChance === 0 ? undefined : 1 - ((count - 1) * observedDisagreement) / byChance
}
