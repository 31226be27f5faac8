/** Compared with published numbers. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { pearson, spearman } from './correlation.ts'
import { intervalDifference, krippendorffsAlpha } from './krippendorff.ts'

const assertNear = (actual: number | undefined, expectation: number, tolerance: number): void =>
  assert.ok(
    actual !== undefined && Math.abs(actual - expectation) <= tolerance,
    `${actual} is not ${expectation}`,
  )

describe("Krippendorff's alpha", () => {
  /** Four observers and twelve units; 0 is missing. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, D. */
  const observers = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
  ]
  const units = observers[0]!.map((_, unit) =>
    observers.map((values) => values[unit]!).filter((value) => value !== 0),
  )

  it('matches the example with missing data: nominal 0.743, interval 0.849', () => {
    assertNear(krippendorffsAlpha(units), 0.743, 0.0005)
    assertNear(krippendorffsAlpha(units, intervalDifference), 0.849, 0.0005)
  })

  it('matches the example with two observers and two values: 0.095', () => {
    const meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    const owen = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assertNear(krippendorffsAlpha(meg.map((value, index) => [value, owen[index]!])), 0.095, 0.0005)
  })

  it('is 1 if all agree, and undefined if nothing differs or nothing is rated twice', () => {
    assert.equal(krippendorffsAlpha([['a', 'a'], ['b', 'b', 'b'], ['a']]), 1)
    assert.equal(
      krippendorffsAlpha([
        ['a', 'a'],
        ['a', 'a'],
      ]),
      undefined,
    )
    assert.equal(krippendorffsAlpha([['a'], ['b'], []]), undefined)
  })
})

describe('correlations', () => {
  /** Hours of television a week by IQ: Wikipedia, Spearman's rank correlation coefficient. */
  const television: [number, number][] = [
    [106, 7],
    [100, 27],
    [86, 2],
    [101, 50],
    [99, 28],
    [103, 29],
    [97, 20],
    [113, 12],
    [112, 6],
    [110, 17],
  ]

  it('match the Wikipedia article: -29/165 for the ranks', () => {
    assertNear(spearman(television), -29 / 165, 1e-12)
  })

  it("match Anscombe's first set: 0.816", () => {
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    assertNear(pearson(x.map((each, index) => [each, y[index]!])), 0.816, 0.0005)
  })

  it('are undefined for constant values, independent of the order, and within bounds', () => {
    assert.equal(pearson([[1, 1]]), undefined)
    // By rounding, the mean of three times 0.1 is not 0.1.
    assert.equal(pearson([1, 2, 4].map((value) => [0.1, value] as const)), undefined)
    assert.equal(
      pearson([
        [1, 1],
        [1, 2],
      ]),
      undefined,
    )
    const pair = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }))
    fc.assert(
      fc.property(fc.array(pair, { minLength: 2, maxLength: 30 }), (pairs) => {
        for (const correlation of [pearson, spearman]) {
          const coefficient = correlation(pairs)
          if (coefficient === undefined) continue
          assert.ok(coefficient >= -1 && coefficient <= 1)
          assertNear(correlation(pairs.toReversed()), coefficient, 1e-9)
          assertNear(correlation(pairs.map(([x, y]) => [y, x])), coefficient, 1e-9)
        }
      }),
    )
  })
})
