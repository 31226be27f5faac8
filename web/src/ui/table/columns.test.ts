import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  type Column,
  gridOf,
  idsBetween,
  nextSort,
  pinnedFirst,
  readLayout,
  readSort,
  shownColumns,
} from './columns.ts'

const columns: readonly Column<string>[] = [
  { id: 'name', header: 'Name', cell: () => null, grow: 1, width: 200, isFixed: true },
  { id: 'cost', header: 'Cost', cell: () => null },
  { id: 'tokens', header: 'Tokens', cell: () => null, isExtra: true },
]

it('optional columns are shown when chosen, fixed ones always', () => {
  const ids = (columnIds?: readonly string[]) => shownColumns(columns, columnIds).map(({ id }) => id)
  assert.deepEqual(ids(), ['name', 'cost'])
  assert.deepEqual(ids(['tokens']), ['name', 'tokens'])
})

it('a flexible column takes the remaining width, and without one an empty track does', () => {
  assert.deepEqual(gridOf(shownColumns(columns, undefined), true), {
    template: '40px minmax(200px, 1fr) 120px',
    widthPx: 360,
    offsets: {},
  })
  assert.equal(gridOf(columns.slice(1, 2), false).template, '120px 1fr')
})

it('a resized column keeps its width, and pinned ones are side by side', () => {
  const layout = readLayout('{"widths":{"a":90,"b":"wide"},"pinned":["c","a"]}')
  assert.deepEqual(layout, { widths: { a: 90 }, pinned: ['c', 'a'] })
  const three = ['a', 'b', 'c'].map((id) => ({ id, header: id, width: 100, grow: 1, cell: () => null }))
  const pinned = pinnedFirst(three, layout.pinned)
  assert.deepEqual(
    pinned.map(({ id }) => id),
    ['a', 'c', 'b'],
  )
  assert.deepEqual(gridOf(pinned, true, layout), {
    template: '40px 90px 100px minmax(100px, 1fr)',
    widthPx: 330,
    offsets: { a: 40, c: 130 },
  })
  assert.deepEqual(readLayout('{'), { widths: {}, pinned: [] })
})

it('clicks on a header sort down, up, and not at all', () => {
  assert.deepEqual(
    [nextSort(undefined, 'a'), nextSort('-a', 'a'), nextSort('a', 'a')],
    ['-a', 'a', undefined],
  )
  assert.equal(nextSort('-b', 'a'), '-a')
  assert.deepEqual(readSort('-a'), { column: 'a', isDescending: true })
})

it('shift selects the range in either direction', () => {
  assert.deepEqual(idsBetween(['a', 'b', 'c', 'd'], 'c', 'a'), ['a', 'b', 'c'])
  assert.deepEqual(idsBetween(['a', 'b'], 'gone', 'b'), ['b'])
})
