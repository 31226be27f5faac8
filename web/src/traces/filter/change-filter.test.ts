import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toggleValue, valuesOf, withClause, withoutPart } from './change-filter.ts'

it('a value joins those of its field, and leaves again', () => {
  const text = toggleValue('cost>1', 'model', 'gpt-4o')
  assert.equal(text, 'cost>1 model:gpt-4o')
  const two = toggleValue(text, 'model', 'a b')
  assert.equal(two, 'cost>1 model:gpt-4o,"a b"')
  assert.deepEqual(valuesOf(two, 'model'), ['gpt-4o', 'a b'])
  assert.equal(toggleValue(toggleValue(two, 'model', 'gpt-4o'), 'model', 'a b'), 'cost>1')
})

it('an error is there or not: one value takes the place of the other', () => {
  const failed = toggleValue('', 'hasError', 'true')
  assert.equal(failed, 'hasError:true')
  assert.equal(toggleValue(failed, 'hasError', 'false'), 'hasError:false')
  assert.equal(toggleValue(failed, 'hasError', 'true'), '')
})

it('what is said wrongly stays as it was typed, until it is removed', () => {
  assert.equal(toggleValue('modle:x', 'type', 'tool'), 'modle:x type:tool')
  assert.equal(withoutPart('modle:x  type:tool', 0), 'type:tool')
})

it('the same is not said twice', () => {
  const clause = { type: 'presence', field: 'score.accuracy', isThere: true } as const
  assert.equal(withClause(withClause('', clause), clause), 'score.accuracy:*')
})
