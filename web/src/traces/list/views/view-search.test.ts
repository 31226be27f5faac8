import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isViewOf, readView, viewText } from './view-search.ts'

it('a view keeps filters, columns, order and range, but not the open trace', () => {
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

it('equal views have the same text, regardless of parameter order', () => {
  assert.equal(viewText({ q: 'a', range: '7d' }), viewText({ range: '7d', q: 'a' }))
})

it('an invalid view is an empty one', () => {
  for (const text of ['', '[1]', 'null']) assert.deepEqual(readView(text), {})
})

it("a view saved by a script in the API's format is read and recognized", () => {
  const search = { columns: ['name'], q: 'hasError:true', range: '24h' }
  for (const view of [
    { search: '{ "range": "24h", "q": "hasError:true", "columns": ["name"] }' },
    { search: '?q=hasError:true&range=24h&columns=%5B%22name%22%5D' },
  ]) {
    assert.deepEqual({ ...readView(view.search) }, search)
    assert.equal(isViewOf(view, viewText(search)), true)
    assert.equal(isViewOf(view, viewText({ ...search, sort: '-cost' })), false)
  }
})
