/** What somebody typed into cells and the service has not stored: it stays in its cells, and in this tab. Pure. */
import { type CellChange, changedRow, fieldsOf, type GridField } from '../fields.ts'
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
