import assert from 'node:assert/strict'
import { it } from 'node:test'
import { flag, number, oneOf, searchParams, text, texts } from './search-params.ts'

const read = searchParams({ q: text, page: number, sort: oneOf('newest', 'cost'), open: flag, tags: texts })

it('declared parameters are read with their types', () => {
  assert.deepEqual(read({ q: 12, page: '3', sort: 'cost', open: 'true', tags: 'a' }), {
    q: '12',
    page: 3,
    sort: 'cost',
    open: true,
    tags: ['a'],
  })
})

it('undeclared parameters are omitted', () => {
  assert.deepEqual(read({ other: 'x' }), {})
})

it('an invalid value is undefined and hides the raw one, such as ?q={}', () => {
  const raw = { q: {}, page: 'x', sort: 'worst', open: 'no', tags: [{}] }
  const unread = { q: undefined, page: undefined, sort: undefined, open: undefined, tags: undefined }
  assert.deepEqual({ ...raw, ...read(raw) }, unread)
  assert.deepEqual({ ...read({ q: null }) }, { q: undefined })
})
