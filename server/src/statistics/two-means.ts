/**
 * Compares two unpaired groups by their means or proportions. Values are summed by user, since one user's values are
 * correlated; with one value per user these are the textbook intervals. The same applies to other groupings, such as the
 * items that are rated.
 */
import type { Interval } from './interval.ts'
import { studentDistance } from './student.ts'
import { wilsonInterval } from './wilson.ts'

/** Values of one group, summed by user; variances are over users, with n - 1, and null for a single user. */
export interface UserSums {
  readonly users: number
  /** Number of values. */
  readonly count: number
  readonly sum: number
  readonly countVariance: number | null
  readonly sumVariance: number | null
  readonly covariance: number | null
}

/** The sums of grouped values, one list per group. */
export function sumsOf(groups: readonly (readonly number[])[]): UserSums {
  const users = groups.length
  const counts = groups.map((values) => values.length)
  const sums = groups.map(total)
  const [count, sum] = [total(counts), total(sums)]
  const covarianceOf = (first: readonly number[], second: readonly number[]): number | null => {
    const [meanFirst, meanSecond] = [total(first) / users, total(second) / users]
    const products = first.map((value, index) => (value - meanFirst) * (second[index]! - meanSecond))
    return users < 2 ? null : total(products) / (users - 1)
  }
  return {
    users,
    count,
    sum,
    countVariance: covarianceOf(counts, counts),
    sumVariance: covarianceOf(sums, sums),
    covariance: covarianceOf(counts, sums),
  }
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** A mean or proportion with its 95 % interval, which is unknown for a single user. */
export interface Estimate {
  readonly mean: number
  readonly interval: Interval | undefined
}

/** The variance of a mean, and its degrees of freedom. */
interface Precision {
  readonly variance: number
  readonly degrees: number
}

const tails = 0.05

/** The mean of a group, with Student's interval; undefined for no values. */
export function meanOf(sums: UserSums): Estimate | undefined {
  if (sums.count === 0) return undefined
  const mean = sums.sum / sums.count
  const precision = precisionOf(sums)
  if (precision === undefined) return { mean, interval: undefined }
  return { mean, interval: intervalAround(mean, precision.variance, precision.degrees) }
}

/** The mean of the second group minus that of the first, with the interval of Welch (1947). */
export function differenceOfMeans(first: UserSums, second: UserSums): Estimate | undefined {
  if (first.count === 0 || second.count === 0) return undefined
  const mean = second.sum / second.count - first.sum / first.count
  const [firstPrecision, secondPrecision] = [precisionOf(first), precisionOf(second)]
  if (firstPrecision === undefined || secondPrecision === undefined) return { mean, interval: undefined }
  const variance = firstPrecision.variance + secondPrecision.variance
  const degrees =
    variance ** 2 /
    (firstPrecision.variance ** 2 / firstPrecision.degrees +
      secondPrecision.variance ** 2 / secondPrecision.degrees)
  return { mean, interval: intervalAround(mean, variance, degrees) }
}

/** The proportion of successes, with the interval of Wilson (1927); undefined for no values. */
export function shareOf(sums: UserSums): Estimate | undefined {
  if (sums.count === 0) return undefined
  const mean = sums.sum / sums.count
  const size = effectiveCount(sums)
  return { mean, interval: wilsonInterval(mean * size, size) }
}

/** The proportion of the second group minus that of the first, with the interval of Newcombe (1998, method 10). */
export function differenceOfShares(first: UserSums, second: UserSums): Estimate | undefined {
  const [firstShare, secondShare] = [shareOf(first), shareOf(second)]
  if (firstShare?.interval === undefined || secondShare?.interval === undefined) return undefined
  const mean = secondShare.mean - firstShare.mean
  const lowerReach = Math.hypot(
    secondShare.mean - secondShare.interval.low,
    firstShare.interval.high - firstShare.mean,
  )
  const upperReach = Math.hypot(
    secondShare.interval.high - secondShare.mean,
    firstShare.mean - firstShare.interval.low,
  )
  return { mean, interval: { low: mean - lowerReach, high: mean + upperReach } }
}

function intervalAround(mean: number, variance: number, degrees: number): Interval | undefined {
  // Zero variance means too little data, not that the mean is known exactly.
  if (!(variance > 0)) return undefined
  const reach = studentDistance(tails, degrees) * Math.sqrt(variance)
  return { low: mean - reach, high: mean + reach }
}

/**
 * The variance of a ratio estimator over users (Cochran, Sampling Techniques, 1977, 6.3): the sum of values over their
 * count. With one value per user it is the variance of the values divided by their count.
 */
function precisionOf({
  users,
  count,
  sum,
  countVariance,
  sumVariance,
  covariance,
}: UserSums): Precision | undefined {
  if (users < 2 || countVariance === null || sumVariance === null || covariance === null) return undefined
  const mean = sum / count
  const spread = sumVariance - 2 * mean * covariance + mean ** 2 * countVariance
  // If all values are the same, such as 0.1, the rounding error of their sums must not count as variance.
  const rounding = 1e-15 * (sumVariance + mean ** 2 * countVariance) + (1e-9 * (sum / users)) ** 2
  return { variance: spread <= rounding ? 0 : (spread * users) / count ** 2, degrees: users - 1 }
}

/**
 * The effective sample size: the count divided by the design effect, which is how much clustering by user inflates the
 * variance of the proportion. If all values are equal the effect is unknown, and each user counts once.
 */
function effectiveCount(sums: UserSums): number {
  const { users, count, sum } = sums
  const share = sum / count
  const ifIndependent = (share * (1 - share)) / count
  const precision = precisionOf(sums)
  if (precision === undefined || ifIndependent <= 0) return users
  const effect = (precision.variance * ((users - 1) / users)) / ifIndependent
  return count / Math.max(1, effect)
}
