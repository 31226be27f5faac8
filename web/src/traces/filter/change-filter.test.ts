import assert from 'node:assert/strict'
import { it } from 'node:test'
import { boundsOf, toggleValue, valuesOf, withBounds, withClause, withoutPart } from './change-filter.ts'

it('a value is added to those of its field, and removed again', () => {
  const text = toggleValue('cost>1', 'model', 'gpt-4o')
  assert.equal(text, 'cost>1 model:gpt-4o')
  const two = toggleValue(text, 'model', 'a b')
  assert.equal(two, 'cost>1 model:gpt-4o,"a b"')
  assert.deepEqual(valuesOf(two, 'model'), ['gpt-4o', 'a b'])
  assert.equal(toggleValue(toggleValue(two, 'model', 'gpt-4o'), 'model', 'a b'), 'cost>1')
})

it('a flag has one value, which replaces the other', () => {
  const failed = toggleValue('', 'hasError', 'true')
  assert.equal(failed, 'hasError:true')
  assert.equal(toggleValue(failed, 'hasError', 'false'), 'hasError:false')
  assert.equal(toggleValue(failed, 'hasError', 'true'), '')
})

it('an invalid part stays as typed until it is removed', () => {
  assert.equal(toggleValue('modle:x', 'type', 'tool'), 'modle:x type:tool')
  assert.equal(withoutPart('modle:x  type:tool', 0), 'type:tool')
})

it('a selected user is matched by id, replacing a partial name', () => {
  assert.equal(toggleValue('', 'user', 'ada'), 'user=ada')
  assert.equal(toggleValue('user=ada', 'user', 'bob'), 'user=ada,bob')
  assert.equal(toggleValue('user:Ad', 'user', 'ada'), 'user=ada')
  assert.equal(toggleValue('user:Ad,Bo', 'user', 'Ad'), 'user:Bo')
  assert.deepEqual(valuesOf('user=ada', 'user'), ['ada'])
  assert.equal(toggleValue('user=ada', 'user', 'bob', true), 'user=ada -user:bob')
})

it('the same clause is not added twice', () => {
  const clause = { type: 'presence', field: 'score.accuracy', isThere: true } as const
  assert.equal(withClause(withClause('', clause), clause), 'score.accuracy:*')
})

it('a value can be excluded as well', () => {
  assert.equal(toggleValue('model:a', 'model', 'b', true), 'model:a -model:b')
  assert.equal(toggleValue('model:a -model:b', 'model', 'b', true), 'model:a')
  assert.deepEqual(valuesOf('model:a -model:b,c', 'model', true), ['b', 'c'])
})

it('bounds of a field replace those it had', () => {
  assert.equal(withBounds('a cost>0.01 b', 'cost', { min: 0.5, max: 2 }), 'a b cost>=0.5 cost<=2')
  assert.equal(withBounds('a cost>0.01', 'cost', {}), 'a')
  assert.equal(withBounds('', 'duration', { min: 2000 }), 'duration>=2s')
  assert.equal(withBounds('errors>0 a', 'errors', { min: 0, max: 5 }), 'errors>0 a errors<=5')
  assert.equal(withBounds('errors>0 errors<=5', 'errors', { min: 0 }), 'errors>0')
  assert.equal(withBounds('errors=2', 'errors', { min: 2, max: 5 }), 'errors>=2 errors<=5')
  assert.equal(withBounds('errors>1 errors<9', 'errors', { min: 3, max: 9 }), 'errors<9 errors>=3')
  assert.deepEqual(boundsOf('cost>0.01 cost<=2 tokens>1', 'cost'), { min: 0.01, max: 2 })
})
