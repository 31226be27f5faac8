/** Sorts the rows of a table. */
import { useMemo } from 'react'
import { type Column, readSort } from './columns.ts'

/** `rows` in the order of `sort`, such as `-cost`; rows with equal values keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string | undefined,
): readonly Row[] {
  const order = readSort(sort)
  const sortBy = columns.find(({ id }) => id === order?.column)?.sortBy
  if (order === undefined || typeof sortBy !== 'function') return rows
  const sign = order.isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, value: sortBy(row) }))
    .sort((a, b) => (a.value === b.value ? 0 : a.value > b.value ? sign : -sign))
    .map(({ row }) => row)
}

export const useSortedRows = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string | undefined,
  isSortedByService: boolean,
): readonly Row[] =>
  useMemo(
    () => (isSortedByService ? rows : sortRows(rows, columns, sort)),
    [rows, columns, sort, isSortedByService],
  )
