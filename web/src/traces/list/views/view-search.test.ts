import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readView, viewText } from './view-search.ts'

it('a view keeps filters, columns, order and range, not what is open', () => {
  const text = viewText({
    range: '7d',
    q: 'cost>1',
    columns: ['name'],
    open: 'x',
    log: 'y',
    live: true,
    sort: undefined,
  })
  assert.deepEqual(readView(text), { columns: ['name'], q: 'cost>1', range: '7d' })
})

it('the same view is the same text in any order', () => {
  assert.equal(viewText({ q: 'a', range: '7d' }), viewText({ range: '7d', q: 'a' }))
})

it('what is no view is an empty one', () => {
  for (const text of ['', 'q=1', '[1]', 'null']) assert.deepEqual(readView(text), {})
})
