import assert from 'node:assert/strict'
import { it } from 'node:test'
import { flag, number, oneOf, searchParams, text, texts } from './search-params.ts'

const read = searchParams({ q: text, page: number, sort: oneOf('newest', 'cost'), open: flag, tags: texts })

it('what a route states is read with its type', () => {
  assert.deepEqual(read({ q: 12, page: '3', sort: 'cost', open: 'true', tags: 'a' }), {
    q: '12',
    page: 3,
    sort: 'cost',
    open: true,
    tags: ['a'],
  })
})

it('parameters that are not stated are left out', () => {
  assert.deepEqual(read({ other: 'x' }), {})
})

it('a value that cannot be is undefined, and hides the raw one (finding 17: ?q={})', () => {
  const raw = { q: {}, page: 'x', sort: 'worst', open: 'no', tags: [{}] }
  const unread = { q: undefined, page: undefined, sort: undefined, open: undefined, tags: undefined }
  assert.deepEqual({ ...raw, ...read(raw) }, unread)
  assert.deepEqual({ ...read({ q: null }) }, { q: undefined })
})
