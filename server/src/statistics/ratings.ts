/** Agreement of two raters: how often they agree, and how far beyond chance. */
import type { Share } from '@plumbline/contract'
import { type Category, cohensKappa, type Disagreement } from './kappa.ts'
import { shareOf as shareOfGroups, sumsOf } from './two-means.ts'
import { wilsonInterval } from './wilson.ts'

export type Rating = readonly [Category, Category]

/** The proportion of equal ratings. */
export function shareOf(ratings: readonly Rating[]): Share {
  const count = ratings.length
  const same = ratings.filter(([left, right]) => left === right).length
  const interval = wilsonInterval(same, count)
  return {
    count,
    share: count === 0 ? null : same / count,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }
}

/**
 * The proportion of equal ratings if several are for one item. A hard item is hard for all raters, so the interval is based
 * on the number of items, not of ratings.
 */
export function shareOfItems(items: readonly (readonly Rating[])[]): Share {
  const sums = sumsOf(items.map((ratings) => ratings.map(([left, right]) => Number(left === right))))
  const estimate = shareOfGroups(sums)
  return {
    count: sums.count,
    share: estimate?.mean ?? null,
    low: estimate?.interval?.low ?? null,
    high: estimate?.interval?.high ?? null,
  }
}

/** Cohen's kappa; numbers are weighted by their squared differences, other categories are equal or not. */
export function kappaOf(ratings: readonly Rating[]): number | undefined {
  const values = ratings.flat()
  if (!values.every((value) => typeof value === 'number')) return cohensKappa(ratings)?.kappa
  const categories = [...new Set(values)].sort((first, second) => first - second)
  const squares: Disagreement = (first, second) => (categories[first]! - categories[second]!) ** 2
  return cohensKappa(ratings, categories, squares)?.kappa
}
