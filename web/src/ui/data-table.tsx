// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot draw only the rows that are seen.
// biome-ignore-all lint/a11y/useFocusableInteractive: The table has the focus, and says which row is active.
/**
 * The table of every list: TanStack Table sorts and hides, TanStack Virtual draws what is seen, and this file has the
 * markup and the keys. j/k or the arrows move, enter opens, x selects; clicks and shift do as one expects.
 */
import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { CheckBox } from './checkbox.tsx'
import { classNames } from './class-names.ts'
import { type Column, gridOf, idsBetween, nextSort, readSort, shownColumns } from './columns.ts'
import { useRemembered } from './remembered.ts'
import { useShortcuts } from './shortcuts.tsx'
import { SkeletonRows } from './skeleton.tsx'
import { TableHeader } from './table-header.tsx'

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
})

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
}

export interface DataTableProps<Row> {
  /** Its name for who does not see it. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Ids of the columns to show; their defaults where absent. */
  readonly shown?: readonly string[] | undefined
  /** Undefined while the first answer is on its way. */
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  /** `cost`, or `-cost`; as the address has it. */
  readonly sort?: string | undefined
  readonly onSort?: (sort: string | undefined) => void
  /** True where the rows come sorted: the table only asks for it. */
  readonly isSortedByService?: boolean
  /** The row whose panel is open. */
  readonly openId?: string | undefined
  readonly onOpen?: (row: Row) => void
  /** What enter does, where it is more than opening the panel. */
  readonly onEnter?: (row: Row) => void
  readonly selection?: Selection
  /** Called near the end of the rows: more of them may be loaded. */
  readonly onEnd?: () => void
  /** Height of a row that holds more than one line; that of the density otherwise. */
  readonly rowHeightPx?: number
  /** What is said where there are no rows. */
  readonly empty?: ReactNode
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, shown, rows, rowId, sort, onSort, isSortedByService = false } = props
  const { openId, onOpen, onEnter = onOpen, selection, onEnd, rowHeightPx, empty } = props
  const visible = useMemo(() => shownColumns(columns, shown), [columns, shown])
  const sorted = useSortedRows(rows ?? none, columns, visible, sort, isSortedByService)
  const ids = useMemo(() => sorted.map(rowId), [sorted, rowId])
  const { template, widthPx } = gridOf(visible, selection !== undefined)
  const [density] = useRemembered('density', 'comfortable')
  const rowPx = rowHeightPx ?? (density === 'compact' ? 28 : 36)
  const name = useId()

  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    // The header is sticky within the same element.
    scrollPaddingStart: 32,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: Rows of another height are measured anew.
  useEffect(() => virtualizer.measure(), [rowPx, virtualizer])

  const items = virtualizer.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (lastIndex >= 0 && lastIndex >= sorted.length - 20) onEnd?.()
  }, [lastIndex, sorted.length, onEnd])

  const [activeId, setActiveId] = useState<string>()
  const active = ids.indexOf(activeId ?? openId ?? '')
  const activate = (index: number): void => {
    const row = sorted[index]
    if (row === undefined) return
    setActiveId(rowId(row))
    virtualizer.scrollToIndex(index)
    // The keys that follow are the table's: enter, the arrows.
    scroller.current?.focus({ preventScroll: true })
    // An open panel follows.
    if (openId !== undefined) onOpen?.(row)
  }
  const anchor = useRef<string>(undefined)
  const toggle = (id: string, isRange: boolean): void => {
    if (selection === undefined) return
    const next = new Set(selection.ids)
    const isOn = !next.has(id)
    const range = isRange && anchor.current !== undefined ? idsBetween(ids, anchor.current, id) : [id]
    for (const rangeId of range) isOn ? next.add(rangeId) : next.delete(rangeId)
    anchor.current = id
    selection.onChange(next)
  }
  const down = (): void => activate(Math.min(active + 1, sorted.length - 1))
  const up = (): void => activate(Math.max(active - 1, 0))
  const open = (): void => {
    const row = sorted[active]
    if (row !== undefined) onOpen?.(row)
  }
  const enter = (): void => {
    const row = sorted[active]
    if (row !== undefined) onEnter?.(row)
  }
  useShortcuts([
    { keys: 'j', label: 'Next row', onPress: down },
    { keys: 'k', label: 'Previous row', onPress: up },
    ...(selection
      ? [{ keys: 'x', label: 'Select row', onPress: () => toggle(ids[active] ?? '', false) }]
      : []),
    ...(onOpen ? [{ keys: 'o', label: 'Open row', onPress: open }] : []),
  ])
  const press = (event: React.KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return
    const action = {
      ArrowDown: down,
      ArrowUp: up,
      Enter: enter,
      Home: () => activate(0),
      End: () => activate(ids.length - 1),
    }[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }

  if (rows === undefined) return <SkeletonRows />
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={sorted.length + 1}
      aria-multiselectable={selection !== undefined || undefined}
      aria-activedescendant={active >= 0 ? `${name}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={press}
      className="group/table min-h-0 flex-1 overflow-auto text-sm -outline-offset-2"
    >
      <div style={{ minWidth: widthPx }}>
        <TableHeader
          columns={visible}
          template={template}
          sort={readSort(sort)}
          onSort={onSort && ((column) => onSort(nextSort(sort, column)))}
          checkbox={
            selection && (
              <CheckBox
                label="Select all rows"
                isChecked={ids.length > 0 && ids.every((id) => selection.ids.has(id))}
                isMixed={selection.ids.size > 0 && !ids.every((id) => selection.ids.has(id))}
                onChange={(isOn) => selection.onChange(new Set(isOn ? ids : []))}
              />
            )
          }
        />
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const row = sorted[index] as Row
            const id = ids[index] as string
            const isSelected = selection?.ids.has(id) === true
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: The table takes the keys.
              <div
                key={key}
                id={`${name}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={selection === undefined ? undefined : isSelected}
                onClick={() => {
                  setActiveId(id)
                  onOpen?.(row)
                }}
                className={classNames(
                  'absolute inset-x-0 grid border-b border-line',
                  rowHeightPx === undefined ? 'items-center' : 'items-start',
                  onOpen !== undefined && 'cursor-pointer',
                  id === openId || isSelected ? 'bg-selected' : 'hover:bg-hover',
                  index === active &&
                    'shadow-none before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent',
                )}
                style={{ height: rowPx, transform: `translateY(${start}px)`, gridTemplateColumns: template }}
              >
                {selection !== undefined && (
                  <div
                    role="gridcell"
                    className="grid h-full place-items-center"
                    onClickCapture={(event) => {
                      event.stopPropagation()
                      toggle(id, event.shiftKey)
                    }}
                  >
                    <CheckBox label="Select row" isChecked={isSelected} onChange={() => undefined} />
                  </div>
                )}
                {visible.map((column) => (
                  <div
                    key={column.id}
                    role="gridcell"
                    className={classNames(
                      'min-w-0 truncate px-2 first:pl-4 last:pr-4',
                      column.align === 'right' && 'text-right',
                    )}
                  >
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const none: readonly never[] = []

function useSortedRows<Row>(
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
