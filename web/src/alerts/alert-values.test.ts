import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inputSchemas } from '@plumbline/sdk/input-schemas'
import { checkInput } from '../ui/form/check-input.ts'
import { readNumber, writeNumber } from '../ui/form/numbers.ts'
import {
  type AlertValues,
  alertInput,
  changesWithMeasure,
  checkRule,
  newAlert,
  previewableRule,
  previewInput,
  withFilter,
} from './alert-values.ts'
import { formatMinutes, scaleOf } from './measures.ts'

const problemsOf = (fields: Partial<AlertValues>): string[] => {
  const values = { ...newAlert, name: 'x', ...fields }
  const ofSchema = checkInput(inputSchemas['alerts.create'] ?? {}, alertInput(values))
  return [...checkRule(values), ...ofSchema].map(({ path }) => path)
}

describe('threshold values', () => {
  it('are typed in human units, and survive a round trip', () => {
    assert.equal(readNumber('5', scaleOf('errorRate')), 0.05)
    assert.equal(readNumber('2,5', scaleOf('p95DurationMs')), 2500)
    assert.equal(readNumber('0.3', scaleOf('cost')), 0.3)
    for (const [text, measure] of [
      ['7', 'errorRate'],
      ['0.1', 'avgDurationMs'],
      ['1200', 'traces'],
    ] as const)
      assert.equal(writeNumber(readNumber(text, scaleOf(measure)), scaleOf(measure)), text)
  })
})

describe('the alert form', () => {
  it('yields a rule when every field is valid', () => {
    assert.deepEqual(problemsOf({ recoveryThreshold: 0.02 }), [])
    const rule = previewableRule(newAlert)
    assert.ok(rule !== undefined)
    assert.equal(previewInput(rule).filters, '{}')
    assert.ok(!('scoreName' in previewInput(rule)))
  })

  it('reports problems by field', () => {
    const wrong: [fields: Partial<AlertValues>, field: keyof AlertValues][] = [
      [{ threshold: Number.NaN }, 'threshold'],
      [{ threshold: undefined }, 'threshold'],
      [{ threshold: 1.01 }, 'threshold'],
      [{ recoveryThreshold: 0.06 }, 'recoveryThreshold'],
      [{ condition: 'below', recoveryThreshold: 0.04 }, 'recoveryThreshold'],
      [{ forMinutes: 1.5 }, 'forMinutes'],
      [{ minimumSamples: 0 }, 'minimumSamples'],
      [{ delaySeconds: undefined }, 'delaySeconds'],
      [{ measure: 'score' }, 'scoreName'],
      [{ name: ' ' }, 'name'],
    ]
    for (const [fields, field] of wrong) assert.deepEqual(problemsOf(fields), [field])
  })

  it('previews no rule while a field is not a number', () => {
    for (const fields of [
      { threshold: undefined },
      { delaySeconds: Number.NaN },
      { measure: 'score' as const },
    ])
      assert.equal(previewableRule({ ...newAlert, ...fields }), undefined)
  })

  it('clears the threshold when the unit changes', () => {
    assert.ok('threshold' in changesWithMeasure('errorRate', 'cost'))
    assert.deepEqual(changesWithMeasure('p95DurationMs', 'p50DurationMs'), {})
  })

  it('removes an empty filter', () => {
    const filters = withFilter({}, 'featureSlug', 'chat')
    assert.deepEqual(filters, { featureSlug: 'chat' })
    assert.deepEqual(withFilter(filters, 'featureSlug', ''), {})
  })
})

describe('windows', () => {
  it('are written in the largest unit that gives a whole number', () => {
    assert.deepEqual([5, 60, 90, 1440, 10_080].map(formatMinutes), ['5 min', '1 h', '90 min', '1 d', '7 d'])
  })
})
