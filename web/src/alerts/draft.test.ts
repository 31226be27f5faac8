import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Draft, emptyDraft, previewInput, ruleOf, withFilter, withMeasure } from './draft.ts'
import { formatMinutes, readValue, writeValue } from './measures.ts'

describe('values of thresholds', () => {
  it('are typed in the units of people, and come back as they were', () => {
    assert.equal(readValue('5', 'errorRate'), 0.05)
    assert.equal(readValue('2,5', 'p95DurationMs'), 2500)
    assert.equal(readValue('0.3', 'cost'), 0.3)
    for (const [text, measure] of [
      ['7', 'errorRate'],
      ['0.1', 'avgDurationMs'],
      ['1200', 'traces'],
    ] as const)
      assert.equal(writeValue(readValue(text, measure)!, measure), text)
    for (const text of ['', 'x', '1e999']) assert.equal(readValue(text, 'cost'), undefined)
  })
})

describe('a draft', () => {
  it('is a rule where nothing is wrong', () => {
    const { rule, problems } = ruleOf({ ...emptyDraft, recovery: '2' })
    assert.deepEqual(problems, {})
    assert.deepEqual([rule?.threshold, rule?.recoveryThreshold, rule?.minimumSamples], [0.05, 0.02, 20])
    assert.deepEqual(previewInput(rule!).filters, '{}')
    assert.ok(!('scoreName' in previewInput(rule!)))
  })

  it('says by field what is wrong', () => {
    const wrong: [fields: Partial<Draft>, field: keyof Draft][] = [
      [{ threshold: 'x' }, 'threshold'],
      [{ threshold: '101' }, 'threshold'],
      [{ recovery: '6' }, 'recovery'],
      [{ condition: 'below', recovery: '4' }, 'recovery'],
      [{ forMinutes: '1.5' }, 'forMinutes'],
      [{ minimumSamples: '0' }, 'minimumSamples'],
      [{ delaySeconds: '' }, 'delaySeconds'],
      [{ measure: 'score' }, 'scoreName'],
    ]
    for (const [fields, field] of wrong) {
      const { rule, problems } = ruleOf({ ...emptyDraft, ...fields })
      assert.deepEqual([rule, Object.keys(problems)], [undefined, [field]])
    }
  })

  it('forgets a threshold that means nothing in another unit', () => {
    assert.equal(withMeasure(emptyDraft, 'cost').threshold, '')
    const inSeconds = { ...emptyDraft, measure: 'p95DurationMs', threshold: '3' } as const
    assert.equal(withMeasure(inSeconds, 'p50DurationMs').threshold, '3')
  })

  it('takes a filter away that is empty', () => {
    const draft = withFilter(emptyDraft, 'featureSlug', 'chat')
    assert.deepEqual(draft.filters, { featureSlug: 'chat' })
    assert.deepEqual(withFilter(draft, 'featureSlug', '').filters, {})
  })
})

describe('windows', () => {
  it('are written in the largest unit that is whole', () => {
    assert.deepEqual([5, 60, 90, 1440, 10_080].map(formatMinutes), ['5 min', '1 h', '90 min', '1 d', '7 d'])
  })
})
