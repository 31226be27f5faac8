import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  detectableDifference,
  holm,
  intervalOfMean,
  intervalOfProportions,
  pairsNeeded,
  signFlipTest,
  signTest,
} from './paired.ts'

const assertNear = (actual: number | undefined, expectation: number, tolerance: number): void =>
  assert.ok(
    actual !== undefined && Math.abs(actual - expectation) <= tolerance,
    `${actual} is not ${expectation}`,
  )

describe('the sign test', () => {
  it('matches Zar, Biostatistical Analysis: fore and hind legs of ten deer, 8 longer and 2 shorter', () => {
    const hind = [142, 140, 144, 144, 142, 146, 149, 150, 142, 148]
    const fore = [138, 136, 147, 139, 143, 141, 143, 145, 136, 146]
    const { positive, negative, pValue } = signTest(
      hind.map((hindLength, index) => hindLength - fore[index]!),
    )
    assert.deepEqual([positive, negative], [8, 2])
    assertNear(pValue, 0.109375, 1e-12)
  })

  it("matches McNemar's exact test in its Wikipedia article, for 6 and 16: 0.052", () => {
    const differences = [...Array<number>(6).fill(1), ...Array<number>(16).fill(-1), 0, 0]
    assertNear(signTest(differences).pValue, 0.052, 0.0005)
  })

  it('ignores ties, and is undecided without differences', () => {
    assertNear(signTest([0, 0, 1, 1, 1]).pValue, 0.25, 1e-12)
    assert.equal(signTest([0, 0]).pValue, 1)
    assert.equal(signTest([]).pValue, 1)
  })

  it('works for a thousand pairs', () => {
    assertNear(
      signTest(Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? 1 : -1))).pValue,
      1,
      1e-9,
    )
    assert.ok(signTest(Array.from({ length: 5000 }, () => 1)).pValue < 1e-300)
  })
})

/** Differences of the deer's legs in Zar; the references are scipy's and statsmodels' figures for the same numbers. */
const deer = [4, 4, -3, 5, -1, 5, 6, 5, 6, 2]
const sixteen = [
  0.3, -0.1, 0.45, 0.2, 0.05, -0.22, 0.61, 0.12, 0.9, -0.02, 0.33, 0.4, -0.18, 0.27, 0.31, 0.08,
]
const thirty = [
  0.6, 1.07, 0.58, -1.05, 1.16, 0.7, -0.29, 0.83, 0.61, 0.54, 0.28, 0.8, -0.49, 0.09, -0.23, 0.85, 0.29,
  -0.04, -0.53, -0.01, 0.26, -0.03, 1.54, 1.26, -2.46, -1.64, 0.08, -0.17, 0.46, 0.47,
]

describe('the interval of a mean difference', () => {
  it('matches scipy.stats.t.interval', () => {
    const deerInterval = intervalOfMean(deer)
    assertNear(deerInterval?.low, 1.1132480759617351, 1e-12)
    assertNear(deerInterval?.high, 5.4867519240382645, 1e-12)
    const interval = intervalOfMean(sixteen)
    assertNear(interval?.low, 0.06179662255479987, 1e-12)
    assertNear(interval?.high, 0.3757033774452001, 1e-12)
  })

  it('is unknown for a single difference and for equal ones (finding 4 of the review of numbers)', () => {
    assert.equal(intervalOfMean([3]), undefined)
    assert.equal(intervalOfMean([-1, -1, -1, -1, -1]), undefined)
    const gains = [0.2, 0.4, 0.8].map((value) => value + 0.1 - value)
    assert.notEqual(gains[0], gains[2])
    assert.equal(intervalOfMean(gains), undefined)
    assert.equal(detectableDifference(gains), undefined)
  })

  it('of paired proportions matches Agresti and Min for the two surveys of 1600 in Agresti, table 10.1', () => {
    const differences = [...Array(150).fill(1), ...Array(86).fill(-1), ...Array(1364).fill(0)] as number[]
    const interval = intervalOfProportions(differences)
    assertNear(interval?.low, 0.0213, 0.0005)
    assertNear(interval?.high, 0.0586, 0.0005)
  })

  it('of paired proportions is never empty, even if no pair differs', () => {
    const interval = intervalOfProportions([0, 0, 0, 0, 0])
    assert.ok(interval !== undefined && interval.low < -0.2 && interval.high > 0.2)
    assert.equal(intervalOfProportions([]), undefined)
  })
})

describe('the sign-flip test', () => {
  it('matches scipy.stats.permutation_test exactly over all assignments of signs', () => {
    assert.equal(signFlipTest(deer), 0.015625)
    assert.equal(signFlipTest(sixteen), 0.007965087890625)
  })

  it('comes close to a million draws of scipy, and to Student’s test beyond 64 differences', () => {
    assertNear(signFlipTest(thirty), 0.2434, 0.03)
    const many = Array.from({ length: 90 }, (_, index) => thirty[index % 30]!)
    assertNear(signFlipTest(many), 0.0384, 0.0005)
  })

  it('ignores ties, has no evidence without differences, and is the sign test for equal ones', () => {
    assert.equal(signFlipTest([]), 1)
    assert.equal(signFlipTest([0, 0, 0]), 1)
    assert.equal(signFlipTest([1, 0, 1, 1, 0, 1, 1]), 0.0625)
    assertNear(signFlipTest(Array.from({ length: 20 }, () => 1)), 1 / 20_001, 1e-12)
    assert.equal(signFlipTest(Array.from({ length: 200 }, () => 0.1)), 2 ** -199)
  })

  it('gives the same p-value for the same differences in other units', () => {
    assert.equal(signFlipTest(thirty.map((value) => value * 1e-7)), signFlipTest(thirty))
    assert.equal(signFlipTest(sixteen.map((value) => value * 1e9)), signFlipTest(sixteen))
  })
})

describe('a family of tests', () => {
  it('is corrected as by statsmodels.multipletests with the method holm', () => {
    const corrected = holm([0.01, 0.04, 0.03, 0.005, 0.5])
    for (const [index, expected] of [0.04, 0.09, 0.09, 0.025, 0.5].entries())
      assertNear(corrected[index], expected, 1e-12)
  })

  it('needs six pairs for one test at 5 %, nine for seven', () => {
    assert.equal(pairsNeeded(), 6)
    assert.equal(pairsNeeded(7), 9)
    assert.equal(pairsNeeded(1, 0.5), 2)
  })

  it('finds differences of nearly the size that statsmodels.TTestPower gives', () => {
    const standard = (count: number): number[] => {
      const values = Array.from({ length: count }, (_, index) => index - (count - 1) / 2)
      const deviation = Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / (count - 1))
      return values.map((value) => value / deviation)
    }
    assertNear(detectableDifference(standard(10)), 0.996, 0.01)
    assertNear(detectableDifference(standard(20)), 0.6604, 0.01)
    assertNear(detectableDifference(standard(50), 4), 0.4879, 0.01)
    assert.equal(detectableDifference([1, 1]), undefined)
  })
})
