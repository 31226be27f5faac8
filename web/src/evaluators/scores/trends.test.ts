import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { courseOf, distributionOf, stepFor, trendsOf } from './trends.ts'

const day = (date: number): Date => new Date(Date.UTC(2024, 2, date))

describe('the trend of scores', () => {
  it('has a point for each day, with gaps where nothing was scored, and a mean weighted by counts', () => {
    const rows = [
      { time: '2024-03-01T00:00:00.000Z', scoreName: 'good', avgScore: 1, scores: 3 },
      { time: '2024-03-03T00:00:00.000Z', scoreName: 'good', avgScore: 0, scores: 1 },
      { time: '2024-03-03T00:00:00.000Z', scoreName: 'tone', avgScore: null, scores: 2 },
    ]
    const trends = trendsOf(rows, { from: day(1), to: day(4), step: 'day', timeZone: 'UTC' })
    const { times, ...good } = trends.get('good') ?? assert.fail()
    assert.equal(times.length, 3)
    assert.deepEqual(good, { count: 4, mean: 0.75, averages: [1, null, 0], counts: [3, 0, 1] })
    assert.equal(trends.get('tone')?.mean, null)
    assert.equal(stepFor(day(1), day(3)), 'hour')
    assert.equal(stepFor(day(1), day(9)), 'day')
  })
})

it('a trend line bridges gaps, and needs two points', () => {
  assert.deepEqual(courseOf([null, 1, null, 0, null]), [null, 1, 0.5, 0, null])
  assert.equal(courseOf([null, 1, null]), undefined)
})

describe('the distribution of scores', () => {
  it('counts yes and no, words, and numbers in ten steps', () => {
    const distribution = (values: readonly (boolean | number | string)[]) =>
      distributionOf(values.map((value) => ({ value })))
    assert.deepEqual(distribution([true, false, true]), [
      { label: 'Yes', count: 2 },
      { label: 'No', count: 1 },
    ])
    assert.deepEqual(
      distribution([3, 1, 3]).map(({ label }) => label),
      ['1', '3'],
    )
    const wide = distribution(Array.from({ length: 101 }, (_, index) => index))
    assert.equal(wide.length, 10)
    assert.equal(
      wide.reduce((sum, { count }) => sum + count, 0),
      101,
    )
    assert.deepEqual(distribution([]), [])
  })
})
