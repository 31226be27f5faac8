/**
 * Two groups that are not paired, compared: by their means, or by their shares of yes. Values come summed by user, since
 * several of one user are more alike than those of many; where each user has one, these are the textbook's intervals.
 */
import { studentDistance } from './student.ts'
import { wilsonInterval } from './wilson.ts'

/** Values of one group, summed by user; variances are over the users, with n - 1, and null for a single one. */
export interface UserSums {
  readonly users: number
  /** How many values. */
  readonly count: number
  readonly sum: number
  readonly countVariance: number | null
  readonly sumVariance: number | null
  readonly covariance: number | null
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** A mean or a share, with its 95 % interval; the interval is unknown for a single user. */
export interface Estimate {
  readonly mean: number
  readonly interval: Interval | undefined
}

/** The variance of a mean, and how many users less one it was found from. */
interface Precision {
  readonly variance: number
  readonly degrees: number
}

const tails = 0.05

/** The mean of a group, with Student's interval; undefined of nothing. */
export function meanOf(sums: UserSums): Estimate | undefined {
  if (sums.count === 0) return undefined
  const mean = sums.sum / sums.count
  const precision = precisionOf(sums)
  if (precision === undefined) return { mean, interval: undefined }
  return { mean, interval: around(mean, precision.variance, precision.degrees) }
}

/** By how much the mean of the second is higher, with the interval of Welch (1947). */
export function differenceOfMeans(first: UserSums, second: UserSums): Estimate | undefined {
  if (first.count === 0 || second.count === 0) return undefined
  const mean = second.sum / second.count - first.sum / first.count
  const [one, other] = [precisionOf(first), precisionOf(second)]
  if (one === undefined || other === undefined) return { mean, interval: undefined }
  const variance = one.variance + other.variance
  const degrees = variance ** 2 / (one.variance ** 2 / one.degrees + other.variance ** 2 / other.degrees)
  return { mean, interval: around(mean, variance, degrees) }
}

/** The share of yes in a group, with the interval of Wilson (1927); undefined of nothing. */
export function shareOf(sums: UserSums): Estimate | undefined {
  if (sums.count === 0) return undefined
  const mean = sums.sum / sums.count
  const size = effectiveCount(sums)
  return { mean, interval: wilsonInterval(mean * size, size) }
}

/** By how much the share of the second is higher, with the interval of Newcombe (1998, method 10). */
export function differenceOfShares(first: UserSums, second: UserSums): Estimate | undefined {
  const [one, other] = [shareOf(first), shareOf(second)]
  if (one?.interval === undefined || other?.interval === undefined) return undefined
  const mean = other.mean - one.mean
  const below = Math.hypot(other.mean - other.interval.low, one.interval.high - one.mean)
  const above = Math.hypot(other.interval.high - other.mean, one.mean - one.interval.low)
  return { mean, interval: { low: mean - below, high: mean + above } }
}

function around(mean: number, variance: number, degrees: number): Interval | undefined {
  // No spread at all among several tells that there is little to see, not that the mean is known exactly.
  if (!(variance > 0)) return undefined
  const reach = studentDistance(tails, degrees) * Math.sqrt(variance)
  return { low: mean - reach, high: mean + reach }
}

/**
 * The variance of a ratio of two sums over users (Cochran, Sampling Techniques, 1977, 6.3): of what their values sum to,
 * and of how many there are. With one value each it is the variance of the values through their number.
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
  return { variance: (Math.max(0, spread) * users) / count ** 2, degrees: users - 1 }
}

/**
 * How many independent values a group is worth: fewer than it has by the design effect, which is how much wider its users
 * make its share vary. Where all say the same nothing tells the effect, and each user counts once.
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
