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

it('what cannot be, and what is not stated, is left out', () => {
  assert.deepEqual(read({ q: '', page: 'x', sort: 'worst', open: 'no', tags: [{}], other: 'x' }), {})
})
