// biome-ignore-all lint/a11y/useSemanticElements: A table element cannot be virtualized.
// biome-ignore-all lint/a11y/useFocusableInteractive: The grid has the focus, and says which cell is active.
/** One row of the grid. It rerenders only when its own props change, so that moving rerenders only two rows. */
import { memo, type RefObject } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { CheckBox } from '../../ui/form/checkbox.tsx'
import { CellEditor, type CellExit } from './cell-editor.tsx'
import { CellText } from './cell-text.tsx'
import { rowWithUnsaved, type UnsavedCell } from './changes/unsaved-cells.ts'
import { type GridField, problemOf } from './fields.ts'
import type { Place } from './moves.ts'
import type { StoredRow } from './row-types.ts'
import type { EditedCell } from './use-cell-editing.ts'

/** Events of a row, for the grid. */
export interface RowHandlers {
  toggleRow(index: number, isRange: boolean): void
  press(place: Place, extend: boolean): void
  drag(place: Place, isPressed: boolean): void
  beginEdit(place: Place): void
  commit(place: Place, value: unknown, exit: CellExit): void
  cancel(place: Place): void
  keep(place: Place, text: string): void
  drop(place: Place, file: File): void
}

interface GridRowProps {
  readonly index: number
  readonly startPx: number
  /** Absent until it is loaded, and for the new row. */
  readonly row: StoredRow | undefined
  readonly isNew: boolean
  readonly isSelected: boolean
  readonly isOpen: boolean
  readonly fields: readonly GridField[]
  readonly template: string
  /** Prefix of the ids of the cells. */
  readonly name: string
  readonly activeColumn: number | undefined
  /** The first and the last column of the selected area. */
  readonly firstIn: number | undefined
  readonly lastIn: number | undefined
  readonly editedCell: EditedCell | undefined
  /** The unsaved texts of this row. */
  readonly unsavedCells: readonly UnsavedCell[] | undefined
  /** A ref, so that the prop stays the same while its value changes. */
  readonly handlers: RefObject<RowHandlers | undefined>
}

/** The id of a cell, by which the grid refers to the active one. */
export const cellId = (name: string, { row, column }: Place): string => `${name}-${row}-${column}`

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, startPx, row, isNew, isSelected, isOpen, fields, template, editedCell, handlers } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={classNames(
        'absolute inset-x-0 grid h-(--row) border-b border-line',
        editedCell !== undefined && 'z-2',
        isSelected || isOpen ? 'bg-selected' : 'bg-surface',
      )}
      style={{ transform: `translateY(${startPx}px)`, gridTemplateColumns: template }}
    >
      <div
        role="gridcell"
        aria-label={isNew ? 'New row' : `Row ${index + 1}`}
        className="sticky left-0 z-1 flex items-center gap-2 border-r border-line bg-inherit pl-4 text-2xs text-ink-3"
        onClickCapture={(event) => {
          if (isNew) return
          event.stopPropagation()
          handlers.current?.toggleRow(index, event.shiftKey)
        }}
      >
        {isNew ? (
          <span className="text-base leading-none">+</span>
        ) : (
          <>
            <CheckBox label={`Select row ${index + 1}`} isChecked={isSelected} onChange={() => undefined} />
            <span className="numbers truncate">{index + 1}</span>
          </>
        )}
      </div>
      {fields.map((field, column) => (
        <GridCell key={field.id} {...props} row={row} field={field} column={column} />
      ))}
    </div>
  )
})

interface GridCellProps extends GridRowProps {
  readonly field: GridField
  readonly column: number
}

function GridCell(props: GridCellProps) {
  const { index, row, isNew, name, activeColumn, firstIn, lastIn, editedCell, unsavedCells, handlers } = props
  const { field, column } = props
  const unsavedCell = unsavedCells?.find((cell) => cell.field.id === field.id)
  const place = { row: index, column }
  const isActive = activeColumn === column
  const isIn = firstIn !== undefined && lastIn !== undefined && column >= firstIn && column <= lastIn
  const isEdited = editedCell?.place.column === column
  const problem = unsavedCell?.problem ?? problemOf(row, field)
  return (
    <div
      id={cellId(name, place)}
      role="gridcell"
      aria-colindex={column + 2}
      aria-invalid={problem !== undefined}
      title={problem && (unsavedCell ? `Not saved: ${problem}` : `${field.header} ${problem}`)}
      onPointerDown={(event) => {
        if (!isEdited && event.button === 0) handlers.current?.press(place, event.shiftKey)
      }}
      onPointerEnter={(event) => handlers.current?.drag(place, event.buttons === 1)}
      onDoubleClick={() => !isEdited && handlers.current?.beginEdit(place)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        const [file] = event.dataTransfer.files
        if (file !== undefined) handlers.current?.drop(place, file)
      }}
      className={classNames(
        'relative flex min-w-0 items-center border-r border-line px-2',
        problem !== undefined && 'bg-bad-surface text-bad',
        isIn && !isActive && 'bg-selected',
        isActive && 'outline-2 -outline-offset-2 outline-accent',
      )}
    >
      {isEdited ? (
        <CellEditor
          field={field}
          initial={editedCell.text}
          initialProblem={editedCell.problem}
          onCommit={(value, exit) => handlers.current?.commit(place, value, exit)}
          onCancel={() => handlers.current?.cancel(place)}
          onGone={(text) => handlers.current?.keep(place, text)}
        />
      ) : (
        <CellText
          row={unsavedCell ? rowWithUnsaved(row, unsavedCells) : row}
          field={field}
          isAbsent={row === undefined && !isNew}
        />
      )}
    </div>
  )
}
