/** What somebody typed into cells and the service has not stored: it stays in its cells, and in this tab. Pure. */
import { type CellChange, cellValue, changedRow, fieldsOf, type GridField, isSameValue } from '../fields.ts'
import type { Column, StoredRow } from '../row-types.ts'

export interface UnsavedCell extends CellChange {
  readonly rowId: string
  /** Why it is not saved, in a sentence. */
  readonly problem: string
  /** Of the new row: the id under which it was sent. */
  readonly sentId?: string
}

/** In place of an id: the row below the last one, which is not stored yet. */
export const newRowId = ''

const isSame = (a: Place, b: Place): boolean => a.rowId === b.rowId && a.field.id === b.field.id

interface Place {
  readonly rowId: string
  readonly field: GridField
}

/** Without the cells of `places`, which are saved or given up. */
export const withoutCells = (
  cells: readonly UnsavedCell[],
  places: readonly Place[],
): readonly UnsavedCell[] => cells.filter((cell) => !places.some((place) => isSame(cell, place)))

/** With `newCells` in place of what was unsaved in the same cells. */
export const withCells = (
  cells: readonly UnsavedCell[],
  newCells: readonly UnsavedCell[],
): readonly UnsavedCell[] => [...withoutCells(cells, newCells), ...newCells]

/** The cells of one row, or undefined for none. */
export function cellsOfRow(cells: readonly UnsavedCell[], rowId: string): readonly UnsavedCell[] | undefined {
  const own = cells.filter((cell) => cell.rowId === rowId)
  return own.length === 0 ? undefined : own
}

export const emptyRow: StoredRow = { id: newRowId, createdAt: '', values: {} }

/** The row with what is not saved of it; of the new row only that. */
export const rowWithUnsaved = (
  row: StoredRow | undefined,
  cells: readonly UnsavedCell[] | undefined,
): StoredRow | undefined => (cells === undefined ? row : changedRow(row ?? emptyRow, cells))

/** The cells whose values the service has after all: its response was lost, or came after the page was left. */
export function storedCells(
  cells: readonly UnsavedCell[],
  rows: readonly StoredRow[],
): readonly UnsavedCell[] {
  if (cells.length === 0) return cells
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const isStored = ({ rowId, sentId, field, value }: UnsavedCell): boolean => {
    const row = rowsById.get(rowId === newRowId ? (sentId ?? newRowId) : rowId)
    return row !== undefined && isSameValue(cellValue(row, field), value)
  }
  const ofNewRow = cells.filter(({ rowId }) => rowId === newRowId)
  return [
    ...cells.filter((cell) => cell.rowId !== newRowId && isStored(cell)),
    // What somebody added to it since is to be saved with the rest.
    ...(ofNewRow.every(isStored) ? ofNewRow : []),
  ]
}

export const writeCells = (cells: readonly UnsavedCell[]): string =>
  JSON.stringify(cells.map(({ field, ...cell }) => ({ ...cell, fieldId: field.id })))

/** Stored cells, but for those of columns that are gone. */
export function readCells(text: string | undefined, columns: readonly Column[]): readonly UnsavedCell[] {
  if (text === undefined) return []
  const fields = new Map(fieldsOf(columns).map((field) => [field.id, field]))
  // Safe: only `writeCells` makes what is read here.
  const cells = JSON.parse(text) as readonly (Omit<UnsavedCell, 'field'> & { readonly fieldId: string })[]
  return cells.flatMap(({ fieldId, ...cell }) => {
    const field = fields.get(fieldId)
    return field === undefined ? [] : [{ ...cell, field }]
  })
}
