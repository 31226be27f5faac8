import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Column } from './columns.ts'
import { sortRows } from './sorted-rows.ts'

interface Row {
  readonly name: string
  readonly cost: number
}

const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name },
  { id: 'cost', header: 'Cost', cell: ({ cost }) => cost, sortBy: ({ cost }) => cost },
  { id: 'tags', header: 'Tags', cell: () => '' },
  { id: 'start', header: 'Start', cell: () => '', sortBy: true },
]
const rows: readonly Row[] = [
  { name: 'b', cost: 2 },
  { name: 'c', cost: 10 },
  { name: 'a', cost: 2 },
]
const namesBy = (sort: string | undefined): string =>
  sortRows(rows, columns, sort)
    .map(({ name }) => name)
    .join('')

describe('the rows of a table', () => {
  it('are sorted by a column, both ways', () => {
    assert.equal(namesBy('name'), 'abc')
    assert.equal(namesBy('-name'), 'cba')
  })

  it('keep their order for equal values, both ways', () => {
    assert.equal(namesBy('cost'), 'bac')
    assert.equal(namesBy('-cost'), 'cba')
  })

  it('keep their order without a sort, by an unknown column and by one that only the service sorts', () => {
    for (const sort of [undefined, 'duration', 'tags', '-start']) assert.equal(namesBy(sort), 'bca')
  })
})
