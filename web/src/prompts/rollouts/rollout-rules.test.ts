import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeRolloutChange, formatDifference, judgementOf } from './rollout-rules.ts'

const measure = (fields: object) => ({
  name: 'cost',
  isShare: false,
  lowerIsBetter: true,
  baseline: null,
  candidate: null,
  difference: null,
  ...fields,
})

describe('a share', () => {
  it('describes whom a change affects', () => {
    assert.equal(
      describeRolloutChange(0.1, 0.25),
      '15% more get the candidate. Users who already have it keep it.',
    )
    assert.equal(describeRolloutChange(0.5, 0.1), '40% return to the baseline.')
    assert.equal(describeRolloutChange(0.1, 0.1), undefined)
  })
})

describe('a difference', () => {
  it('of shares is in percentage points', () => {
    assert.equal(formatDifference(measure({ name: 'errorRate', isShare: true }), 0.023), '+2.3 pt')
    assert.equal(formatDifference(measure({ name: 'score.good', isShare: true }), -0.5), '−50 pt')
    assert.equal(formatDifference(measure({}), -0.012), '−$0.012')
  })

  it('is good or bad only if its interval excludes 0', () => {
    const verdictOf = (low: number | null, high: number | null, lowerIsBetter: boolean) =>
      judgementOf(measure({ lowerIsBetter, difference: { value: 0.5, low, high } }))
    assert.deepEqual(
      [
        verdictOf(-1, 2, true),
        verdictOf(0.1, 2, true),
        verdictOf(0.1, 2, false),
        verdictOf(null, null, true),
      ],
      ['unclear', 'worse', 'better', 'unclear'],
    )
    assert.equal(judgementOf(measure({})), 'unclear')
  })
})
