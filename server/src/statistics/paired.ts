/**
 * Compares two paired groups by the mean of their differences: its interval, a significance test, the correction for
 * multiple tests, and the smallest difference that the test could have detected.
 */
import { differenceOf } from '@plumbline/contract/difference'
import type { Interval } from './interval.ts'
import { seededRandom } from './seeded-random.ts'
import { studentDistance, studentTails } from './student.ts'

/** The accepted probability of a false positive, over all measures of a comparison together. */
export const significanceLevel = 0.05
/** The probability with which `detectableDifference` detects a difference of that size. */
const power = 0.8

/** Undefined for no values. */
export const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

/** The sample standard deviation (n - 1); undefined for fewer than two values. */
export function standardDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined
  const middle = mean(values) ?? 0
  const squares = values.reduce((sum, value) => sum + differenceOf(value, middle) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1))
}

/**
 * The 95 % interval of the mean difference: Student's, which also works for few pairs. Undefined for a single pair, and if
 * all differences are equal: that is too little data, not certainty.
 */
export function intervalOfMean(differences: readonly number[]): Interval | undefined {
  const deviation = standardDeviation(differences)
  if (deviation === undefined || !(deviation > 0)) return undefined
  const middle = mean(differences) ?? 0
  const reach = (studentDistance(0.05, differences.length - 1) * deviation) / Math.sqrt(differences.length)
  return { low: middle - reach, high: middle + reach }
}

/**
 * The 95 % interval of the difference of two paired proportions, for differences of -1, 0 and 1: that of Agresti and
 * Min (Statistics in Medicine 24, 2005), who add half a pair to each of the four outcomes. Undefined for no pairs.
 */
export function intervalOfProportions(differences: readonly number[]): Interval | undefined {
  if (differences.length === 0) return undefined
  const count = differences.length + 2
  const gained = (differences.filter((difference) => difference > 0).length + 0.5) / count
  const lossShare = (differences.filter((difference) => difference < 0).length + 0.5) / count
  const middle = gained - lossShare
  const reach = 1.959963984540054 * Math.sqrt((gained + lossShare - middle ** 2) / count)
  return { low: Math.max(-1, middle - reach), high: Math.min(1, middle + reach) }
}

/** Up to this many differences, all 65,536 assignments of signs are tried. */
const exactMax = 16
/** Beyond this many, the mean is close enough to normal for Student's test. */
const resampledMax = 64
const drawsMax = 20_000
/** Draws end early once this many are as extreme: the p-value is then large enough to be known well. */
const extremesMax = 100

/**
 * The two-sided p-value of the mean difference, by the sign-flip test (Fisher, The Design of Experiments, 21): if both
 * groups are alike, each difference could as well have had the other sign. Ties carry no information.
 */
export function signFlipTest(differences: readonly number[]): number {
  const values = differences.filter((difference) => difference !== 0)
  if (values.length === 0) return 1
  if (values.length <= exactMax) return flipAll(values)
  if (values.length <= resampledMax) return flipAtRandom(values)
  const deviation = standardDeviation(differences) ?? 0
  if (!(deviation > 0)) return 2 ** (1 - values.length)
  const distance = (Math.abs(mean(differences) ?? 0) * Math.sqrt(differences.length)) / deviation
  return studentTails(distance, differences.length - 1)
}

/** From this sum on, an assignment counts as equally extreme; rounding errors must not separate equal sums. */
function extremeFrom(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  return Math.abs(sum) - 1e-9 * values.reduce((total, value) => total + Math.abs(value), 0)
}

function flipAll(values: readonly number[]): number {
  const limit = extremeFrom(values)
  const signs = values.map(() => 1)
  const assignments = 2 ** values.length
  let sum = values.reduce((total, value) => total + value, 0)
  let extremes = 1
  // In Gray code order, in which each assignment differs from the previous one in one sign.
  for (let index = 1; index < assignments; index++) {
    const position = 31 - Math.clz32(index & -index)
    sum -= 2 * signs[position]! * values[position]!
    signs[position] = -signs[position]!
    if (Math.abs(sum) >= limit) extremes += 1
  }
  return extremes / assignments
}

/** Draws until the p-value is known well enough (Besag and Clifford, Biometrika 78, 1991). */
function flipAtRandom(values: readonly number[]): number {
  // Seeded by the data: repeating a request must not change its response.
  const random = seededRandom(values.length)
  const limit = extremeFrom(values)
  let extremes = 0
  for (let draws = 1; draws <= drawsMax; draws++) {
    let sum = 0
    let bits = 0
    for (let index = 0; index < values.length; index++) {
      bits = index % 31 === 0 ? Math.floor(random() * 2 ** 31) : bits >>> 1
      sum += bits & 1 ? values[index]! : -values[index]!
    }
    if (Math.abs(sum) < limit) continue
    extremes += 1
    if (extremes === extremesMax) return extremes / draws
  }
  return (extremes + 1) / (drawsMax + 1)
}

/** The two-sided sign test of the hypothesis that both signs are equally likely; ties are ignored. */
export function signTest(differences: readonly number[]): {
  positive: number
  negative: number
  pValue: number
} {
  const positive = differences.filter((difference) => difference > 0).length
  const negative = differences.filter((difference) => difference < 0).length
  const trials = positive + negative
  const fewer = Math.min(positive, negative)
  // In logarithms, since binomial coefficients of a thousand trials overflow doubles.
  let logWays = 0
  let tail = 0
  for (let successes = 0; successes <= fewer; successes++) {
    tail += Math.exp(logWays - trials * Math.LN2)
    logWays += Math.log(trials - successes) - Math.log(successes + 1)
  }
  return { positive, negative, pValue: Math.min(1, 2 * tail) }
}

/** The p-values of a family of tests, each corrected for the others (Holm, 1979): in the order of the input. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((first, second) => pValues[first]! - pValues[second]!)
  const corrected: number[] = []
  let largest = 0
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, pValues[index]! * (pValues.length - rank)))
    corrected[index] = largest
  }
  return corrected
}

/** The fewest pairs with which a test can reach the level: if all of them differ in the same direction. */
export const pairsNeeded = (tests = 1, level = significanceLevel): number =>
  Math.ceil(1 + Math.log2(tests / level) - 1e-9)

/**
 * The smallest mean difference that a comparison with this many pairs detects in four of five cases; undefined if the
 * variance is unknown.
 */
export function detectableDifference(differences: readonly number[], tests = 1): number | undefined {
  const deviation = standardDeviation(differences)
  if (deviation === undefined || !(deviation > 0)) return undefined
  const degrees = differences.length - 1
  const distance =
    studentDistance(significanceLevel / tests, degrees) + studentDistance(2 * (1 - power), degrees)
  return (distance * deviation) / Math.sqrt(differences.length)
}
