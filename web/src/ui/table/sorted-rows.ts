/** The rows of a table in their order, by TanStack Table. */
import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { type Column, readSort } from './columns.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
})

export function useSortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  visible: readonly Column<Row>[],
  sort: string | undefined,
  isSortedByService: boolean,
): readonly Row[] {
  const current = readSort(sort)
  const definitions = useMemo(
    () =>
      columns.map(({ id, sortBy }) => ({
        id,
        // Boxed rows: a table takes objects only.
        accessorFn: ({ row }: { readonly row: Row }) => (typeof sortBy === 'function' ? sortBy(row) : ''),
        sortFn: 'basic' as const,
      })),
    [columns],
  )
  const data = useMemo(() => rows.map((row) => ({ row })), [rows])
  const sorting = useMemo(
    () =>
      current !== undefined && columns.some(({ id }) => id === current.column)
        ? [{ id: current.column, desc: current.isDescending }]
        : [],
    [current?.column, current?.isDescending, columns, current],
  )
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map((column) => [column.id, visible.includes(column)])),
    [columns, visible],
  )
  const table = useTable({
    features,
    columns: definitions,
    data,
    manualSorting: isSortedByService,
    state: { sorting, columnVisibility },
  })
  const model = table.getRowModel().rows
  return useMemo(() => model.map(({ original }) => original.row), [model])
}
