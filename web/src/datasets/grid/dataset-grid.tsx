// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot be virtualized.
// biome-ignore-all lint/a11y/useFocusableInteractive: The grid has the focus, and says which cell is active.
/** The rows of a dataset as a spreadsheet. `use-grid.ts` has the behaviour, this file the rendering. */
import { type ReactNode, useMemo } from 'react'
import { CheckBox } from '../../ui/form/checkbox.tsx'
import { shownNewRowId, type UnsavedCell } from './changes/unsaved-cells.ts'
import type { RowChanges } from './changes/use-row-changes.ts'
import type { GridField } from './fields.ts'
import { FilePicker } from './file-picker.tsx'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import type { PastePlan } from './plan-paste.ts'
import type { StoredRow } from './row-types.ts'
import { useGrid } from './use-grid.ts'
import type { Rows } from './use-rows.ts'

export interface DatasetGridProps {
  readonly label: string
  readonly fields: readonly GridField[]
  readonly rows: Rows
  /** How many rows there are, loaded or not. */
  readonly count: number
  /** Absent for users who may not change anything. */
  readonly changes: RowChanges | undefined
  readonly selectedIds: ReadonlySet<string>
  readonly onSelect: (update: (rowIds: ReadonlySet<string>) => ReadonlySet<string>) => void
  readonly openId: string | undefined
  readonly onOpen: (row: StoredRow) => void
  /** A paste that the user must confirm first. */
  readonly onPlan: (plan: PastePlan) => void
  readonly onUpload: (row: StoredRow | undefined, field: GridField, file: File) => void
  readonly header: (field: GridField) => ReactNode
  readonly trailingHeader: ReactNode
  readonly empty: ReactNode
}

export function DatasetGrid(props: DatasetGridProps) {
  const { label, fields, count, changes, header, trailingHeader, empty } = props
  const grid = useGrid(props)
  const { active, isDragging, setActive } = grid.selection
  return (
    <div
      ref={grid.rowView.setScroller}
      role="grid"
      aria-label={label}
      aria-rowcount={grid.placeCount + 1}
      aria-colcount={fields.length + 1}
      aria-multiselectable
      aria-readonly={changes === undefined}
      aria-activedescendant={active === undefined ? undefined : grid.idOf(active)}
      tabIndex={0}
      onKeyDown={grid.pressKey}
      onFocus={(event) => {
        if (event.target === event.currentTarget && active === undefined && !isDragging.current)
          setActive({ row: 0, column: 0 })
      }}
      onPointerUp={() => {
        isDragging.current = false
      }}
      className="group/grid min-h-0 flex-1 overflow-auto text-sm -outline-offset-2 select-none"
    >
      <div style={{ minWidth: grid.widths.widthPx }}>
        <GridHeader
          fields={fields}
          template={grid.widths.template}
          header={header}
          lastCell={trailingHeader}
          checkbox={<AllRows {...props} onChange={grid.toggleAll} />}
        />
        <GridRows {...props} grid={grid} />
        {count === 0 && empty}
      </div>
      <FilePicker ref={grid.picker} onPick={(file) => grid.upload(active, file)} />
    </div>
  )
}

interface AllRowsProps extends Pick<DatasetGridProps, 'count' | 'selectedIds'> {
  readonly onChange: (isOn: boolean) => void
}

function AllRows({ count, selectedIds, onChange }: AllRowsProps) {
  if (count === 0) return null
  const isAll = selectedIds.size >= count
  return (
    <CheckBox
      label="Select all rows"
      isChecked={isAll}
      isMixed={selectedIds.size > 0 && !isAll}
      onChange={onChange}
    />
  )
}

const none: readonly UnsavedCell[] = []

interface GridRowsProps
  extends Pick<DatasetGridProps, 'fields' | 'rows' | 'count' | 'changes' | 'selectedIds' | 'openId'> {
  readonly grid: ReturnType<typeof useGrid>
}

function GridRows({ fields, rows, count, changes, selectedIds, openId, grid }: GridRowsProps) {
  const { rowView, edited: gridCell, name, handlers, widths } = grid
  const { active, area } = grid.selection
  const unsavedCells = useMemo(
    () => Map.groupBy(changes?.unsavedCells.cells ?? none, ({ rowId }) => rowId),
    [changes?.unsavedCells.cells],
  )
  const newRowId = shownNewRowId(changes?.unsavedCells.cells ?? none) ?? ''
  return (
    <div role="rowgroup" className="relative" style={{ height: grid.placeCount * rowView.rowPx }}>
      {rowView.indexes.map((index) => {
        const row = rows.loadedRows[index]
        const isIn = area !== undefined && index >= area.top && index <= area.bottom
        return (
          <GridRow
            key={index}
            index={index}
            startPx={index * rowView.rowPx}
            row={row}
            isNew={index === count}
            isSelected={row !== undefined && selectedIds.has(row.id)}
            isOpen={row !== undefined && row.id === openId}
            fields={fields}
            template={widths.template}
            name={name}
            activeColumn={active?.row === index ? active.column : undefined}
            firstIn={isIn ? area.left : undefined}
            lastIn={isIn ? area.right : undefined}
            editedCell={gridCell?.place.row === index ? gridCell : undefined}
            unsavedCells={
              row === undefined && index < count ? undefined : unsavedCells.get(row?.id ?? newRowId)
            }
            handlers={handlers}
          />
        )
      })}
    </div>
  )
}
