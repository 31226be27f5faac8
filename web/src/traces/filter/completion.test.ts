import assert from 'node:assert/strict'
import { it } from 'node:test'
import { complete, completingAt, fieldOptions, keyOptions, valueOptions } from './completion.ts'

it('a word may become a field', () => {
  const completing = completingAt('cost>1 mo', 9)
  assert.deepEqual(completing, { kind: 'field', prefix: 'mo', start: 7, end: 9 })
  const [option] = fieldOptions('mo')
  assert.equal(option?.label, 'model')
  assert.deepEqual(complete('cost>1 mo', completing!, option!), { text: 'cost>1 model:', caret: 13 })
})

it('after a field its values are offered, counted with the rest of the filter', () => {
  const text = '-model:gpt-4o,cl cost>1'
  const completing = completingAt(text, 16)
  assert.deepEqual(completing, {
    kind: 'value',
    field: 'model',
    prefix: 'cl',
    start: 14,
    end: 16,
    rest: ' cost>1',
  })
  const [option] = valueOptions([{ value: 'claude 4', count: 3 }])
  assert.deepEqual(complete(text, completing!, option!), {
    text: '-model:gpt-4o,"claude 4" cost>1',
    caret: 25,
  })
})

it('a selected user is matched by id', () => {
  const [option] = valueOptions([{ value: 'ada', label: 'Ada', count: 3 }])
  for (const [text, result] of [
    ['user:Ad', 'user=ada '],
    ['user=', 'user=ada '],
    ['user:Bo,Ad', 'user:Bo,ada '],
    ['-user:Ad', '-user:ada '],
  ] as const)
    assert.equal(complete(text, completingAt(text, text.length)!, option!).text, result)
})

it('metadata keys and score names are offered after the dot', () => {
  const completing = completingAt('metadata.en', 11)
  assert.deepEqual(completing, { kind: 'key', source: 'metadata', prefix: 'en', start: 0, end: 11 })
  const [option] = keyOptions('metadata', [{ value: 'en v', count: 1 }])
  assert.equal(complete('metadata.en', completing!, option!).text, 'metadata."en v":')
  const after = completingAt('metadata."en v":pr', 18)
  assert.ok(after?.kind === 'value')
  assert.deepEqual([after.field, after.prefix, after.start], ['metadata.en v', 'pr', 16])
})

it('numbers and phrases are not completed', () => {
  assert.equal(completingAt('cost:1', 6), undefined)
  assert.equal(completingAt('"some wor', 9), undefined)
  assert.deepEqual(completingAt('', 0), { kind: 'field', prefix: '', start: 0, end: 0 })
})
