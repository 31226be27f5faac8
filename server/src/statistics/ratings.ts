/** What two raters said of the same things: how often they agree, and how much of that is not by chance. */
import type { Share } from '@plumbline/contract'
import { type Category, cohensKappa, type Disagreement } from './kappa.ts'
import { wilsonInterval } from './wilson.ts'

export type Rating = readonly [Category, Category]

/** How often both say the same. */
export function shareOf(ratings: readonly Rating[]): Share {
  const count = ratings.length
  const same = ratings.filter(([one, other]) => one === other).length
  const interval = wilsonInterval(same, count)
  return {
    count,
    share: count === 0 ? null : same / count,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }
}

/** Cohen's kappa; numbers are weighted by the squares of their differences, all else is either the same or not. */
export function kappaOf(ratings: readonly Rating[]): number | undefined {
  const values = ratings.flat()
  if (!values.every((value) => typeof value === 'number')) return cohensKappa(ratings)?.kappa
  const categories = [...new Set(values)].sort((one, other) => one - other)
  const squares: Disagreement = (one, other) => (categories[one]! - categories[other]!) ** 2
  return cohensKappa(ratings, categories, squares)?.kappa
}
