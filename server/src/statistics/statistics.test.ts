/** Compared with published numbers. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Category, cohensKappa, linear, quadratic } from './kappa.ts'
import { wilsonInterval } from './wilson.ts'

const assertNear = (actual: number | undefined, expectation: number, tolerance: number): void =>
  assert.ok(
    actual !== undefined && Math.abs(actual - expectation) <= tolerance,
    `${actual} is not ${expectation}`,
  )

/** Ratings from a table of counts, rows by the first rater. */
const ratingsOf = (table: readonly (readonly number[])[]): [Category, Category][] =>
  table.flatMap((row, index) =>
    row.flatMap((count, other) => Array.from({ length: count }, (): [Category, Category] => [index, other])),
  )

describe("Cohen's kappa", () => {
  // Cohen (1960), table 2, and Cohen (1968), table 1: shares of 200 cases.
  const table = [
    [88, 14, 18],
    [10, 40, 10],
    [2, 6, 12],
  ]

  it('matches Cohen, 1960: 0.492', () => {
    const agreement = cohensKappa(ratingsOf(table))
    assertNear(agreement?.kappa, 0.492, 0.0005)
    assert.deepEqual([agreement?.count, agreement?.observed], [200, 0.7])
  })

  it('matches Cohen, 1968, with his weights: 0.348', () => {
    const weights = [
      [0, 1, 3],
      [1, 0, 6],
      [3, 6, 0],
    ]
    const agreement = cohensKappa(ratingsOf(table), [0, 1, 2], (first, second) => weights[first]![second]!)
    assertNear(agreement?.kappa, 0.348, 0.0005)
  })

  it('matches the Wikipedia article: 20, 5, 10 and 15 give 0.4', () => {
    const ratings = ratingsOf([
      [20, 5],
      [10, 15],
    ]).map(([left, right]): [Category, Category] => [left === 0, right === 0])
    assertNear(cohensKappa(ratings)?.kappa, 0.4, 1e-12)
  })

  it('is 1 for full agreement, independent of the weights for two categories, and never more than 1', () => {
    const category = fc.constantFrom<Category>('bad', 'good')
    const pair = fc.tuple(category, category)
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1 }), (ratings) => {
        const plain = cohensKappa(ratings)?.kappa
        for (const weights of [linear, quadratic]) {
          const weighed = cohensKappa(ratings, undefined, weights)?.kappa
          if (plain === undefined) assert.equal(weighed, undefined)
          else assertNear(weighed, plain, 1e-9)
        }
        assert.ok(plain === undefined || plain <= 1)
        const alike = cohensKappa(ratings.map(([rating]): [Category, Category] => [rating, rating]))
        assert.ok(alike?.kappa === undefined || alike.kappa === 1)
      }),
    )
  })

  it('is exactly 0 if two raters agree as often as by chance, however the counts divide', () => {
    // A table of the products of its margins, as two independent raters produce it.
    const independent = (rows: readonly number[], columns: readonly number[]) =>
      rows.flatMap((rowCount, row) =>
        columns.flatMap((columnCount, column) =>
          Array.from({ length: rowCount * columnCount }, () => [row, column] as const),
        ),
      )
    const margin = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(margin, margin, (rows, columns) => {
        for (const weights of [undefined, linear, quadratic])
          assert.equal(cohensKappa(independent(rows, columns), [0, 1, 2], weights)?.kappa, 0)
      }),
    )
  })

  it('is undefined if both raters always give the same rating, and for no ratings', () => {
    assert.equal(cohensKappa([['a', 'a']])?.kappa, undefined)
    assert.equal(cohensKappa([]), undefined)
    assert.throws(() => cohensKappa([['a', 'b']], ['a']), RangeError)
  })
})

describe("Wilson's interval", () => {
  it('matches Newcombe, Two-sided Confidence Intervals for the Single Proportion (1998), table I', () => {
    const table: [successes: number, trials: number, low: number, high: number][] = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ]
    for (const [successes, trials, low, high] of table) {
      const interval = wilsonInterval(successes, trials)
      assertNear(interval?.low, low, 0.00005)
      assertNear(interval?.high, high, 0.00005)
    }
  })

  it('is within 0 and 1, and undefined for no trials', () => {
    assert.equal(wilsonInterval(20, 20)?.high, 1)
    assert.equal(wilsonInterval(0, 0), undefined)
  })
})
