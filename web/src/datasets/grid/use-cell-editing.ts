import type { RefObject } from 'react'
import type { CellExit } from './cell-editor.tsx'
import { makeRowId } from './changes/row-id.ts'
import { cellsOfRow, newRowIdOf, rowWithUnsaved, shownNewRowId } from './changes/unsaved-cells.ts'
import type { RowChanges } from './changes/use-row-changes.ts'
import { cellValue, clearedValue, editedTextOf, type GridField, readText } from './fields.ts'
import { type Extent, type Place, placeAfter, tabbedPlace } from './moves.ts'
import type { StoredRow } from './row-types.ts'

export interface EditedCell {
  readonly place: Place
  readonly text: string
  /** Why its text is not saved yet. */
  readonly problem?: string | undefined
}

interface CellEditingOptions {
  readonly fields: readonly GridField[]
  readonly loadedRows: readonly StoredRow[]
  readonly count: number
  readonly extent: Extent
  readonly changes: RowChanges | undefined
  readonly picker: RefObject<HTMLInputElement | null>
  readonly onEdited: (cell: EditedCell | undefined) => void
  readonly onOpen: (row: StoredRow) => void
  readonly onScrollTo: (row: number) => void
  readonly onGo: (place: Place) => void
  readonly onRefocus: () => void
}

/** Starts editing a cell, and saves it. */
export function useCellEditing(options: CellEditingOptions) {
  const {
    fields,
    loadedRows,
    count,
    extent,
    changes,
    picker,
    onEdited,
    onOpen,
    onScrollTo,
    onGo,
    onRefocus,
  } = options
  const begin = (place: Place, text?: string): void => {
    const field = fields[place.column]
    const row = loadedRows[place.row]
    // A row cannot be edited until it is loaded.
    if (field === undefined || (row === undefined && place.row < count)) return
    if (changes === undefined) {
      if (row !== undefined) onOpen(row)
      return
    }
    if ((field.type === 'image' || field.type === 'file') && text === undefined) {
      picker.current?.click()
      return
    }
    onScrollTo(place.row)
    const unsavedCells = cellsOfRow(changes.unsavedCells.cells, rowIdOf(changes, row))
    const shownRow = rowWithUnsaved(row, unsavedCells)
    onEdited({
      place,
      text: text ?? (shownRow === undefined ? '' : editedTextOf(shownRow, field)),
      problem: unsavedCells?.find((cell) => cell.field.id === field.id)?.problem,
    })
  }
  const commit = (place: Place, value: unknown, exit: CellExit): void => {
    const field = fields[place.column]
    onEdited(undefined)
    if (field === undefined || changes === undefined) return
    save(changes, loadedRows[place.row], field, value)
    if (exit === 'stay') return
    onRefocus()
    const next =
      exit === 'down'
        ? placeAfter({ key: 'ArrowDown', isMod: false }, place, extent)
        : tabbedPlace(place, exit === 'right' ? 1 : -1, extent)
    if (next !== undefined) onGo(next)
  }
  const cancel = (place: Place): void => {
    const field = fields[place.column]
    if (field !== undefined && changes !== undefined)
      changes.unsavedCells.forget([{ rowId: rowIdOf(changes, loadedRows[place.row]), field }])
    onEdited(undefined)
    onRefocus()
  }
  /** Called if the screen closes during editing, for example because the session has ended. */
  const keep = (place: Place, text: string): void => {
    const field = fields[place.column]
    const read = field && readText(text, field)
    if (field === undefined || changes === undefined || read === undefined || 'problem' in read) return
    const rowId = rowIdOf(changes, loadedRows[place.row]) || newRowIdOf(makeRowId())
    changes.unsavedCells.keep([{ rowId, field, value: read.value, problem: 'You left before it was saved.' }])
  }
  return { begin, commit, cancel, keep }
}

/** The id of a row's unsaved cells; empty if nothing is typed below the last row. */
const rowIdOf = ({ unsavedCells }: RowChanges, row: StoredRow | undefined): string =>
  row?.id ?? shownNewRowId(unsavedCells.cells) ?? ''

/** A value below the last row creates a row; an unchanged value changes nothing. */
function save(changes: RowChanges, row: StoredRow | undefined, field: GridField, value: unknown): void {
  if (row === undefined) {
    if (value === null || value === '') changes.unsavedCells.forget([{ rowId: rowIdOf(changes, row), field }])
    else void changes.appendTyped({ field, value })
    return
  }
  const before = cellValue(row, field) ?? clearedValue(field)
  if (JSON.stringify(before) === JSON.stringify(value))
    changes.unsavedCells.forget([{ rowId: row.id, field }])
  else void changes.edit([{ row, changes: [{ field, value }] }])
}
