/** Cell texts that the service has not stored: they stay in their cells, and in this tab. Pure. */
import { type CellChange, cellValue, changedRow, fieldsOf, type GridField, isSameValue } from '../fields.ts'
import type { Column, StoredRow } from '../row-types.ts'

export interface UnsavedCell extends CellChange {
  readonly rowId: string
  /** Why it is not saved, in a sentence. */
  readonly problem: string
}

const newRowPrefix = 'new:'

/** The id of a row that is not stored yet: the id with which it will be sent. */
export const newRowIdOf = (sentId: string): string => `${newRowPrefix}${sentId}`

/** The id with which a new row is sent; undefined for a stored row. */
export const sentIdOf = (rowId: string): string | undefined =>
  rowId.startsWith(newRowPrefix) ? rowId.slice(newRowPrefix.length) : undefined

/**
 * The new row below the last one, or undefined if nothing is typed there. Other unsaved new rows follow once it is
 * saved or discarded.
 */
export const shownNewRowId = (cells: readonly UnsavedCell[]): string | undefined =>
  cells.find(({ rowId }) => sentIdOf(rowId) !== undefined)?.rowId

const isSame = (a: Place, b: Place): boolean => a.rowId === b.rowId && a.field.id === b.field.id

interface Place {
  readonly rowId: string
  readonly field: GridField
}

/** Without the cells of `places`, which were saved or discarded. */
export const withoutCells = (
  cells: readonly UnsavedCell[],
  places: readonly Place[],
): readonly UnsavedCell[] => cells.filter((cell) => !places.some((place) => isSame(cell, place)))

/** With `newCells` replacing earlier unsaved texts of the same cells. */
export const withCells = (
  cells: readonly UnsavedCell[],
  newCells: readonly UnsavedCell[],
): readonly UnsavedCell[] => [...withoutCells(cells, newCells), ...newCells]

/** The cells of one row, or undefined for none. */
export function cellsOfRow(cells: readonly UnsavedCell[], rowId: string): readonly UnsavedCell[] | undefined {
  const own = cells.filter((cell) => cell.rowId === rowId)
  return own.length === 0 ? undefined : own
}

export const emptyRow: StoredRow = { id: '', createdAt: '', values: {} }

/** The row with its unsaved texts; a new row consists only of those. */
export const rowWithUnsaved = (
  row: StoredRow | undefined,
  cells: readonly UnsavedCell[] | undefined,
): StoredRow | undefined => (cells === undefined ? row : changedRow(row ?? emptyRow, cells))

/** The cells whose values were stored after all: the response was lost, or arrived after the page was left. */
export function storedCells(
  cells: readonly UnsavedCell[],
  rows: readonly StoredRow[],
): readonly UnsavedCell[] {
  if (cells.length === 0) return cells
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const isStored = ({ rowId, field, value }: UnsavedCell): boolean => {
    const row = rowsById.get(sentIdOf(rowId) ?? rowId)
    return row !== undefined && isSameValue(cellValue(row, field), value)
  }
  // Cells added to a new row since then are saved with the rest of the row.
  const incompleteIds = new Set(cells.filter((cell) => !isStored(cell)).map(({ rowId }) => rowId))
  return cells.filter(
    (cell) => isStored(cell) && !(sentIdOf(cell.rowId) !== undefined && incompleteIds.has(cell.rowId)),
  )
}

export const writeCells = (cells: readonly UnsavedCell[]): string =>
  JSON.stringify(cells.map(({ field, ...cell }) => ({ ...cell, fieldId: field.id })))

/** Stored cells, except those of removed columns. */
export function readCells(text: string | undefined, columns: readonly Column[]): readonly UnsavedCell[] {
  if (text === undefined) return []
  const fields = new Map(fieldsOf(columns).map((field) => [field.id, field]))
  // Safe: only `writeCells` writes this value.
  const cells = JSON.parse(text) as readonly (Omit<UnsavedCell, 'field'> & { readonly fieldId: string })[]
  return cells.flatMap(({ fieldId, ...cell }) => {
    const field = fields.get(fieldId)
    return field === undefined ? [] : [{ ...cell, field }]
  })
}
