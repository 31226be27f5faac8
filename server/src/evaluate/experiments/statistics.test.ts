import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bootstrapInterval, mean, resampledMeans, signTest } from './statistics.ts'

const near = (actual: number | undefined, expected: number, within: number): void =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= within, `${actual} is not ${expected}`)

describe('the sign test', () => {
  it('is that of Zar, Biostatistical Analysis: fore and hind legs of ten deer, 8 longer and 2 shorter', () => {
    const hind = [142, 140, 144, 144, 142, 146, 149, 150, 142, 148]
    const fore = [138, 136, 147, 139, 143, 141, 143, 145, 136, 146]
    const { positive, negative, pValue } = signTest(
      hind.map((hindLength, index) => hindLength - fore[index]!),
    )
    assert.deepEqual([positive, negative], [8, 2])
    near(pValue, 0.109375, 1e-12)
  })

  it('ignores ties, and is undecided without differences', () => {
    near(signTest([0, 0, 1, 1, 1]).pValue, 0.25, 1e-12)
    assert.equal(signTest([0, 0]).pValue, 1)
    assert.equal(signTest([]).pValue, 1)
  })

  it('works for a thousand pairs', () => {
    near(signTest(Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? 1 : -1))).pValue, 1, 1e-9)
    assert.ok(signTest(Array.from({ length: 5000 }, () => 1)).pValue < 1e-300)
  })
})

describe('the bootstrap', () => {
  // Efron and Tibshirani, An Introduction to the Bootstrap, tables 2.1 and 2.2: survival of treated mice in days.
  const mice = [94, 197, 16, 38, 99, 141, 23]

  it('has the mean and the standard error that Efron and Tibshirani print: 86.86 and 23.36', () => {
    near(mean(mice), 86.86, 0.005)
    const resampled = resampledMeans(mice, 20_000)
    const centre = mean(resampled)!
    const deviation = Math.sqrt(mean(resampled.map((value) => (value - centre) ** 2))!)
    near(deviation, 23.36, 0.5)
  })

  it('gives an interval around the mean, the same each time, and none for a single value', () => {
    const interval = bootstrapInterval(mice)!
    assert.ok(interval.low > 40 && interval.low < 55 && interval.high > 125 && interval.high < 140)
    assert.deepEqual(bootstrapInterval(mice), interval)
    assert.deepEqual(bootstrapInterval([3, 3, 3]), { low: 3, high: 3 })
    assert.equal(bootstrapInterval([3]), undefined)
  })
})
