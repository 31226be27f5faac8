/** What somebody typed into cells and the service has not stored: it stays in its cells, and in this tab. Pure. */
import { type CellChange, cellValue, changedRow, fieldsOf, type GridField, isSameValue } from '../fields.ts'
import type { Column, StoredRow } from '../row-types.ts'

export interface UnsavedCell extends CellChange {
  readonly rowId: string
  /** Why it is not saved, in a sentence. */
  readonly problem: string
}

const newRowPrefix = 'new:'

/** In place of the id of a row that is not stored yet: it has the id under which it is sent. */
export const newRowIdOf = (sentId: string): string => `${newRowPrefix}${sentId}`

/** The id under which a new row is sent; undefined for a stored row. */
export const sentIdOf = (rowId: string): string | undefined =>
  rowId.startsWith(newRowPrefix) ? rowId.slice(newRowPrefix.length) : undefined

/**
 * The new row that stands below the last one, or undefined where nothing is typed there. Others that could not be saved
 * follow once it is saved or discarded.
 */
export const shownNewRowId = (cells: readonly UnsavedCell[]): string | undefined =>
  cells.find(({ rowId }) => sentIdOf(rowId) !== undefined)?.rowId

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

export const emptyRow: StoredRow = { id: '', createdAt: '', values: {} }

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
  const isStored = ({ rowId, field, value }: UnsavedCell): boolean => {
    const row = rowsById.get(sentIdOf(rowId) ?? rowId)
    return row !== undefined && isSameValue(cellValue(row, field), value)
  }
  // What somebody added to a new row since is to be saved with the rest of it.
  const incompleteIds = new Set(cells.filter((cell) => !isStored(cell)).map(({ rowId }) => rowId))
  return cells.filter(
    (cell) => isStored(cell) && !(sentIdOf(cell.rowId) !== undefined && incompleteIds.has(cell.rowId)),
  )
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
