import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeInWords, formatDifference, judgementOf, readPercent, writePercent } from './rollout-rules.ts'

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
  it('is read as percent, and nothing else is', () => {
    assert.deepEqual(['10', ' 2,5 ', '0.1%', '100', '0'].map(readPercent), [0.1, 0.025, 0.001, 1, 0])
    for (const text of ['', 'x', '-1', '100.1']) assert.equal(readPercent(text), undefined)
    assert.deepEqual([0.1, 0.07, 1 / 3, 1].map(writePercent), ['10', '7', '33.33', '100'])
  })

  it('that changes says for whom', () => {
    assert.equal(changeInWords(0.1, 0.25), '15% more get the candidate. Users who already have it keep it.')
    assert.equal(changeInWords(0.5, 0.1), '40% return to the baseline.')
    assert.equal(changeInWords(0.1, 0.1), undefined)
  })
})

describe('a difference', () => {
  it('is one of percentage points where it is one of shares', () => {
    assert.equal(formatDifference(measure({ name: 'errorRate', isShare: true }), 0.023), '+2.3 pt')
    assert.equal(formatDifference(measure({ name: 'score.good', isShare: true }), -0.5), '−50 pt')
    assert.equal(formatDifference(measure({}), -0.012), '−$0.012')
  })

  it('is good or bad only where its interval holds no 0', () => {
    const judged = (low: number | null, high: number | null, lowerIsBetter: boolean) =>
      judgementOf(measure({ lowerIsBetter, difference: { value: 0.5, low, high } }))
    assert.deepEqual(
      [judged(-1, 2, true), judged(0.1, 2, true), judged(0.1, 2, false), judged(null, null, true)],
      ['unclear', 'worse', 'better', 'unclear'],
    )
    assert.equal(judgementOf(measure({})), 'unclear')
  })
})
