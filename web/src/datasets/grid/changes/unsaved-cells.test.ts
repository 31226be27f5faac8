import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fieldsOf } from '../fields.ts'
import {
  cellsOfRow,
  newRowIdOf,
  readCells,
  rowWithUnsaved,
  shownNewRowId,
  storedCells,
  withCells,
  writeCells,
} from './unsaved-cells.ts'

const columns = [
  { name: 'q', type: 'text' as const },
  { name: 'context', type: 'json' as const },
]
const [q = assert.fail(), context = assert.fail()] = fieldsOf(columns)
const problem = 'No network.'
const row = { id: 'a', createdAt: '2026-01-01T00:00:00.000Z', values: { q: 'stored', context: null } }

it('a row shows its unsaved texts, and a new row is made from them', () => {
  const cells = [
    { rowId: 'a', field: q, value: 'typed', problem },
    { rowId: newRowIdOf('b'), field: context, value: { a: 1 }, problem },
  ]
  assert.equal(rowWithUnsaved(row, cellsOfRow(cells, 'a'))?.values.q, 'typed')
  assert.deepEqual(rowWithUnsaved(undefined, cellsOfRow(cells, newRowIdOf('b')))?.values, {
    context: { a: 1 },
  })
  assert.equal(rowWithUnsaved(row, cellsOfRow(cells, 'b')), row)
})

it('a later text of a cell replaces the earlier one', () => {
  const first = [{ rowId: 'a', field: q, value: 'first', problem }]
  const cells = withCells(first, [{ rowId: 'a', field: q, value: 'second', problem }])
  assert.deepEqual(
    cells.map(({ value }) => value),
    ['second'],
  )
})

it('stored cells are restored, except those of removed columns', () => {
  const cells = [
    { rowId: 'a', field: q, value: 'typed', problem },
    { rowId: 'a', field: context, value: [1], problem },
  ]
  assert.deepEqual(readCells(writeCells(cells), columns), cells)
  assert.deepEqual(readCells(writeCells(cells), columns.slice(0, 1)), cells.slice(0, 1))
  assert.deepEqual(readCells(undefined, columns), [])
})

it('several new rows are kept side by side, and each is dropped once all of it is stored', () => {
  const [first, second] = [newRowIdOf('a'), newRowIdOf('b')]
  const cells = withCells(
    [{ rowId: first, field: q, value: 'stored', problem }],
    [
      { rowId: second, field: q, value: 'second', problem },
      { rowId: first, field: context, value: [1], problem },
    ],
  )
  assert.equal(shownNewRowId(cells), first)
  assert.deepEqual(storedCells(cells, [row]), [])
  assert.deepEqual(storedCells(cells, [{ ...row, values: { q: 'stored', context: [1] } }]), [
    cells[0],
    cells[2],
  ])
  assert.equal(shownNewRowId(cells.slice(1, 2)), second)
  assert.equal(shownNewRowId([{ rowId: 'a', field: q, value: 'typed', problem }]), undefined)
})
