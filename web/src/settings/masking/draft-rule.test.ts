import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MaskingRule, problemIn, toDraft, toRule } from './draft-rule.ts'

describe('an edited rule', () => {
  const rules: readonly MaskingRule[] = [
    { type: 'detector', detector: 'iban', name: 'IBAN', action: 'hash' },
    {
      type: 'pattern',
      pattern: 'EMP-\\d+',
      name: 'Staff',
      action: 'mask',
      text: 'x',
      fields: ['input'],
      features: ['a', 'b'],
    },
    { type: 'path', path: 'metadata.ssn', name: 'SSN', action: 'drop', enabled: false },
  ]
  for (const rule of rules)
    it(`is sent as it came: ${rule.name}`, () => assert.deepEqual(toRule(toDraft(rule)), rule))

  it('finds the rule and the field that a message names', () => {
    assert.deepEqual(problemIn('rules[2].pattern: is too large'), {
      index: 2,
      field: 'pattern',
      problem: 'is too large',
    })
    assert.deepEqual(problemIn('rules[0]: must match'), { index: 0, field: '', problem: 'must match' })
    assert.equal(problemIn('traces: must be a number'), undefined)
  })
})
