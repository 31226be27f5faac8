import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changedFields, contestedFields, withLatest } from './changed-fields.ts'

const before = { slug: 'a', name: 'A', config: { min: 1 }, rule: null }

it('only changed fields are sent, with the identifying ones', () => {
  const input = { slug: 'a', name: 'B', config: { min: 1 }, rule: undefined }
  assert.deepEqual(changedFields(input, before, ['slug']), { slug: 'a', name: 'B' })
})

it('a field is contested if two users set different values', () => {
  const input = { ...before, name: 'B', config: { min: 2 } }
  assert.deepEqual(contestedFields(input, before, { ...before, name: 'C', rule: { rate: 1 } }), ['name'])
  assert.deepEqual(contestedFields(input, before, { ...before, name: 'B' }), [])
  assert.deepEqual(contestedFields(before, before, { ...before, name: 'C' }), [])
})

it("a saved form takes over others' changes in untouched fields", () => {
  const [initial, latest] = [
    { name: 'A', note: '' },
    { name: 'B', note: 'theirs' },
  ]
  assert.deepEqual(withLatest({ name: 'C', note: '' }, initial, latest), { name: 'C', note: 'theirs' })
})
