/** Compared with published numbers, and with simulation. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from './seeded-random.ts'
import { studentDistance, studentTails } from './student.ts'
import { differenceOfMeans, differenceOfShares, meanOf, shareOf, sumsOf, type UserSums } from './two-means.ts'

const assertNear = (actual: number | undefined, expectation: number, tolerance: number): void =>
  assert.ok(
    actual !== undefined && Math.abs(actual - expectation) <= tolerance,
    `${actual} is not ${expectation}`,
  )

const singleValues = (values: readonly number[]): UserSums => sumsOf(values.map((value) => [value]))
const yes = (successes: number, trials: number): UserSums =>
  singleValues(Array.from({ length: trials }, (_, index) => (index < successes ? 1 : 0)))

describe("Student's distribution", () => {
  it('matches the tables: 95 % are within 12.706, 4.303, 2.228, 2.042 and 1.980', () => {
    const table: [degrees: number, distance: number][] = [
      [1, 12.7062047364],
      [2, 4.3026527297],
      [10, 2.228138852],
      [30, 2.0422724563],
      [120, 1.9799304051],
    ]
    for (const [degrees, distance] of table) assertNear(studentDistance(0.05, degrees), distance, 1e-8)
    assertNear(studentDistance(0.05, 1e7), 1.959963984540054, 1e-6)
    assert.equal(studentTails(0, 5), 1)
  })
})

describe('the interval of a mean', () => {
  it('is unknown if all values are the same, however their sums are rounded', () => {
    for (const value of [0.1, 0.25, 0.3, 0.7, 1e-7, 1e12 / 3]) {
      for (const counts of [
        [1, 1, 1],
        [1, 2, 3],
        [1, 1, 400],
      ]) {
        const sums = sumsOf(counts.map((count) => Array.from({ length: count }, () => value)))
        assert.equal(meanOf(sums)?.interval, undefined, `${value} ${counts}`)
        assert.equal(
          differenceOfMeans(sums, singleValues([2 * value, 2 * value, 2 * value]))?.interval,
          undefined,
        )
      }
    }
  })
})

describe("Welch's interval", () => {
  // Student (1908): hours of sleep gained with each of two drugs.
  const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
  const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

  it("matches R's help on t.test, with Student's sleep data: 1.58 from -0.2054832 to 3.3654832", () => {
    const difference = differenceOfMeans(singleValues(first), singleValues(second))
    assertNear(difference?.mean, 1.58, 1e-12)
    assertNear(difference?.interval?.low, -0.2054832, 5e-8)
    assertNear(difference?.interval?.high, 3.3654832, 5e-8)
  })

  it("has the p-values of Wikipedia's article on the t-test: t = 1.959 with 7.031 degrees gives 0.09077", () => {
    assertNear(studentTails(1.959005801, 7.030559887), 0.0907733, 5e-7)
  })

  it('is unknown for a single user, for no variance, and for no values', () => {
    assert.equal(differenceOfMeans(singleValues([1]), singleValues(second))?.interval, undefined)
    assert.equal(meanOf(singleValues([2, 2]))?.interval, undefined)
    assert.deepEqual(
      [meanOf(singleValues([])), differenceOfMeans(singleValues([]), singleValues(second))],
      [undefined, undefined],
    )
  })
})

describe("Newcombe's interval", () => {
  it('matches Newcombe, Interval Estimation for the Difference (1998), table II, method 10', () => {
    const table: [minuend: [number, number], subtrahend: [number, number], low: number, high: number][] = [
      [[56, 70], [48, 80], 0.0524, 0.3339],
      [[9, 10], [3, 10], 0.1705, 0.809],
      [[6, 7], [2, 7], 0.0582, 0.8062],
      [[5, 56], [0, 29], -0.0381, 0.1926],
      [[0, 10], [0, 20], -0.1611, 0.2775],
      [[0, 10], [0, 10], -0.2775, 0.2775],
      [[10, 10], [0, 20], 0.6791, 1],
      [[10, 10], [0, 10], 0.6075, 1],
    ]
    for (const [more, less, low, high] of table) {
      const difference = differenceOfShares(yes(...less), yes(...more))
      assertNear(difference?.interval?.low, low, 0.00005)
      assertNear(difference?.interval?.high, high, 0.00005)
    }
  })

  it("has Wilson's interval on each side, and is undefined for no values", () => {
    assertNear(shareOf(yes(81, 263))?.interval?.low, 0.2553, 0.00005)
    assert.equal(differenceOfShares(yes(0, 0), yes(1, 2)), undefined)
  })
})

describe('users with several values', () => {
  const random = seededRandom(7)
  /** Users who differ from each other more than their own values do. */
  const sampleGroup = (users: number, isShare: boolean): UserSums =>
    sumsOf(
      Array.from({ length: users }, () => {
        const own = random()
        return Array.from({ length: 1 + Math.floor(random() * 10) }, () =>
          isShare ? Number(random() < own) : own + random() / 10,
        )
      }),
    )
  const runs = 400
  const coverageOf = (count: (isWrong: (low: number, high: number) => boolean) => boolean): number =>
    Array.from({ length: runs }, () => count((low, high) => low > 0 || high < 0)).filter(
      (isWrong) => !isWrong,
    ).length
  // The binomial 99.9 % interval around 95 %.
  const reach = 3.2905 * Math.sqrt(runs * 0.95 * 0.05)

  it('are compared by intervals that hold in about 95 of 100 cases, for means and for proportions', () => {
    for (const [isShare, difference] of [
      [false, differenceOfMeans],
      [true, differenceOfShares],
    ] as const) {
      const coverage = coverageOf((isWrong) => {
        const { low, high } = difference(sampleGroup(60, isShare), sampleGroup(60, isShare))!.interval!
        return isWrong(low, high)
      })
      assert.ok(Math.abs(coverage - runs * 0.95) <= reach, `${coverage} of ${runs}`)
    }
  })

  it('would not be if all values counted as independent', () => {
    const flat = (sums: UserSums): UserSums => ({
      ...sums,
      users: sums.count,
      countVariance: 0,
      covariance: 0,
      sumVariance: (sums.sum / sums.count) * (1 - sums.sum / sums.count),
    })
    const coverage = coverageOf((isWrong) => {
      const { low, high } = differenceOfShares(flat(sampleGroup(60, true)), flat(sampleGroup(60, true)))!
        .interval!
      return isWrong(low, high)
    })
    assert.ok(coverage < runs * 0.95 - reach, `${coverage} of ${runs}`)
  })
})
