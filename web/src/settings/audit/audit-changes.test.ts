import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changesOf, nameIn, periodStart } from './audit-changes.ts'

it('shows the fields that differ, and values that are not texts as JSON', () => {
  const before = { name: 'A', scopes: ['read'], note: null }
  const after = { name: 'B', scopes: ['read'], note: '' }
  assert.deepEqual(changesOf({ before, after }), [{ field: 'name', before: 'A', after: 'B' }])
  assert.deepEqual(changesOf({ after: { isOn: true, note: null } }), [
    { field: 'isOn', before: undefined, after: 'true' },
  ])
  assert.deepEqual(changesOf({ before: { scopes: ['read'] } }), [
    { field: 'scopes', before: '["read"]', after: undefined },
  ])
  assert.deepEqual(changesOf({ before: { days: 30 }, after: { days: null } }), [
    { field: 'days', before: '30', after: 'none' },
  ])
  assert.deepEqual(changesOf({}), [])
})

it('names the subject of an entry after its settings', () => {
  assert.equal(nameIn({ before: { name: 'A' }, after: { name: 'B' } }), 'B')
  assert.equal(nameIn({ before: { name: 'A' } }), 'A')
  assert.equal(nameIn({ before: { name: '' }, after: { isOn: true } }), undefined)
  assert.equal(nameIn({}), undefined)
})

it('starts a period at a whole minute', () => {
  assert.equal(periodStart('day', new Date('2026-03-02T10:20:30.456Z')), '2026-03-01T10:20:00.000Z')
})
