import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isOfForm } from './is-of-form.ts'

const initial = {
  name: '',
  isLive: false,
  threshold: 0.05,
  limit: undefined,
  evaluator: null,
  channels: [],
  live: { filters: {} },
}

it('a draft matches a form with the same fields, regardless of empty numbers and choices', () => {
  assert.ok(isOfForm(initial, initial))
  const { threshold: _threshold, ...withoutNumber } = initial
  assert.ok(isOfForm({ ...withoutNumber, limit: 3, evaluator: 'accuracy' }, initial))
  assert.ok(isOfForm(initial, { ...initial, evaluator: 'accuracy' }))
})

it('a draft with other field types does not match the form', () => {
  const others = [
    { name: 1 },
    { isLive: undefined },
    { threshold: 'high' },
    { limit: [] },
    { evaluator: [] },
    { channels: {} },
    { channels: undefined },
    { channels: null },
    { live: undefined },
    { live: null },
    { live: 'on' },
  ]
  for (const other of others)
    assert.equal(isOfForm({ ...initial, ...other }, initial), false, JSON.stringify(other))
  for (const draft of [null, undefined, 'text', 3]) assert.equal(isOfForm(draft, initial), false)
})
