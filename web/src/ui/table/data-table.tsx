// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot be virtualized.
// biome-ignore-all lint/a11y/useFocusableInteractive: The table has the focus, and says which row is active.
/** The table of every list: sorts, hides columns, and renders only the visible rows. */
import { type ReactNode, useEffect, useId, useMemo } from 'react'
import { CheckBox } from '../form/checkbox.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { useRemembered } from '../storage/remembered.ts'
import { useVisibleRows } from '../visible-rows.ts'
import { type Column, gridOf, nextSort, pinnedFirst, readSort, shownColumns } from './columns.ts'
import { MoreFailed, type MoreRows } from './more-rows.tsx'
import { useSortedRows } from './sorted-rows.ts'
import { TableHeader } from './table-header.tsx'
import { TableRow } from './table-row.tsx'
import { useColumnLayout } from './use-column-layout.ts'
import { useFirstOpenRow } from './use-first-open-row.ts'
import { useRowKeys } from './use-row-keys.ts'
import { type Selection, useRowSelection } from './use-row-selection.ts'

export interface DataTableProps<Row> {
  /** Its accessible name. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Ids of the columns to show; the default columns if absent. */
  readonly columnIds?: readonly string[] | undefined
  /** Undefined until the first response. */
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  /** `cost`, or `-cost`, as in the URL. */
  readonly sort?: string | undefined
  readonly onSort?: (sort: string | undefined) => void
  /** True if the service sorts the rows: the table only requests an order. */
  readonly isSortedByService?: boolean
  /** The row whose panel is open. */
  readonly openId?: string | undefined
  readonly onOpen?: (row: Row) => void
  /** The action of Enter, if it differs from opening the panel. */
  readonly onEnter?: (row: Row) => void
  readonly selection?: Selection
  /** Loaded near the end of the rows. */
  readonly more?: MoreRows
  /** The height of rows with top-aligned cells; the density's height by default. */
  readonly rowHeightPx?: number
  /** Cells may hold two lines, unless the density is compact. */
  readonly hasTwoLines?: boolean
  /** Shown if there are no rows. */
  readonly empty?: ReactNode
}

const none: readonly never[] = []
const headerPx = 33

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, columnIds, rows, rowId, sort, onSort, isSortedByService = false } = props
  const { openId, onOpen, onEnter = onOpen, selection, more, rowHeightPx, hasTwoLines, empty } = props
  const layout = useColumnLayout(label)
  const visible = useMemo(
    () => pinnedFirst(shownColumns(columns, columnIds), layout.pinned),
    [columns, columnIds, layout.pinned],
  )
  const sorted = useSortedRows(rows ?? none, columns, sort, isSortedByService)
  const ids = useMemo(() => sorted.map(rowId), [sorted, rowId])
  const grid = gridOf(visible, selection !== undefined, layout)
  const name = useId()
  const rowPx = useRowPx({ rowHeightPx, hasTwoLines })
  const { indexes, setScroller, scroller, scrollTo } = useVisibleRows(sorted.length, rowPx, headerPx)
  useEndCall(indexes.at(-1), sorted.length, more)
  const { toggle, toggleAll, isAll, isSome } = useRowSelection(ids, selection)
  const { active, setActiveId, press } = useRowKeys({
    rows: sorted,
    ids,
    scroller,
    scrollTo,
    openId,
    onOpen,
    onEnter,
    onSelect: selection && ((id) => toggle(id, false)),
  })
  useFirstOpenRow({ ids, openId, scroller, scrollTo })
  if (rows === undefined) return <SkeletonRows />
  const moreError = more?.error ?? null
  if (rows.length === 0 && empty !== undefined && moreError === null) return empty
  return (
    <>
      <div
        ref={setScroller}
        role="grid"
        aria-label={label}
        aria-rowcount={sorted.length + 1}
        aria-multiselectable={selection !== undefined || undefined}
        aria-activedescendant={active >= 0 ? `${name}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        className="group/table min-h-0 flex-1 overflow-auto text-sm -outline-offset-2"
      >
        <div style={{ minWidth: grid.widthPx }}>
          <TableHeader
            columns={visible}
            grid={grid}
            onResize={layout.resize}
            sort={readSort(sort)}
            onSort={onSort && ((column) => onSort(nextSort(sort, column)))}
            checkbox={
              selection && (
                <CheckBox label="Select all rows" isChecked={isAll} isMixed={isSome} onChange={toggleAll} />
              )
            }
          />
          <div role="rowgroup" className="relative" style={{ height: sorted.length * rowPx }}>
            {indexes.map((index) => {
              // Safe: the indexes refer to the sorted rows, each of which has an id.
              const [row, id] = [sorted[index] as Row, ids[index] as string]
              return (
                <TableRow
                  key={index}
                  id={`${name}-${index}`}
                  index={index}
                  row={row}
                  columns={visible}
                  grid={grid}
                  startPx={index * rowPx}
                  heightPx={rowPx}
                  isTall={rowHeightPx !== undefined}
                  isActive={index === active}
                  isOpen={id === openId}
                  isSelected={selection?.ids.has(id)}
                  isPressable={onOpen !== undefined}
                  onPress={() => {
                    setActiveId(id)
                    onOpen?.(row)
                  }}
                  onToggle={(isRange) => toggle(id, isRange)}
                />
              )
            })}
          </div>
        </div>
      </div>
      {more !== undefined && moreError !== null && <MoreFailed error={moreError} onRetry={more.load} />}
    </>
  )
}

function useRowPx({
  rowHeightPx,
  hasTwoLines = false,
}: Pick<DataTableProps<never>, 'rowHeightPx' | 'hasTwoLines'>): number {
  const [density] = useRemembered('density', 'comfortable')
  return rowHeightPx ?? (density === 'compact' ? 28 : hasTwoLines ? 52 : 36)
}

/** Loads more rows near the last one, until that fails: then the user retries. */
function useEndCall(lastIndex = -1, count: number, more: MoreRows | undefined): void {
  const load = more?.error === null ? more.load : undefined
  useEffect(() => {
    if (lastIndex >= 0 && lastIndex >= count - 20) load?.()
  }, [lastIndex, count, load])
}
