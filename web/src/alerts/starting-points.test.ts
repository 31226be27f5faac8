import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkRule } from './alert-values.ts'
import { describeStart, roundUp, startingPoints, startingValues } from './starting-points.ts'

const nothing = { costOfDay: null, p95DurationMs: null, score: undefined }

describe('starting points', () => {
  it('have thresholds beyond the values of the last days', () => {
    const score = { name: 'accuracy', mean: 0.92 }
    const drafts = startingValues({ costOfDay: 8.2, p95DurationMs: 3120, score })
    assert.deepEqual(
      startingPoints.map((point) => describeStart(point, drafts[point])),
      [
        'Error rate above 5%',
        'Daily cost above $13',
        'p95 latency above 6.3 s',
        'Score accuracy below 0.8',
        'No traces for 30 minutes',
      ],
    )
  })

  it('group the digits of large limits', () => {
    const { cost } = startingValues({ ...nothing, costOfDay: 8200 })
    assert.equal(describeStart('cost', cost), 'Daily cost above $13,000')
  })

  it('are complete rules apart from the score name, even if nothing was recorded yet', () => {
    const drafts = startingValues(nothing)
    for (const point of startingPoints) {
      const paths = checkRule(drafts[point]).map(({ path }) => path)
      assert.deepEqual(paths, point === 'score' ? ['scoreName'] : [], point)
    }
  })
})

describe('round numbers', () => {
  it('are rounded up to two digits', () => {
    assert.deepEqual([12.3, 0.0871, 1500, 20, 3].map(roundUp), [13, 0.088, 1500, 20, 3])
  })
})
