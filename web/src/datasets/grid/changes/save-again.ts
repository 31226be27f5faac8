import type { Rows } from '../use-rows.ts'
import { emptyRow, newRowId } from './unsaved-cells.ts'
import type { RowChanges } from './use-row-changes.ts'

/** Saves all that could not be saved before. Of rows that are not among those shown, the service says why it cannot. */
export async function saveAgain(
  { unsavedCells, edit, appendTyped }: Pick<RowChanges, 'unsavedCells' | 'edit' | 'appendTyped'>,
  { loadedRows, reach }: Pick<Rows, 'loadedRows' | 'reach'>,
): Promise<void> {
  const cellsById = Map.groupBy(unsavedCells.cells, ({ rowId }) => rowId)
  const lastCell = cellsById.get(newRowId)?.at(-1)
  cellsById.delete(newRowId)
  const loadedIds = new Set(loadedRows.map(({ id }) => id))
  const isLoaded = [...cellsById.keys()].every((id) => loadedIds.has(id))
  const rows = isLoaded ? loadedRows : await reach(Number.POSITIVE_INFINITY)
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const edits = [...cellsById].map(([id, changes]) => ({
    row: rowsById.get(id) ?? { ...emptyRow, id },
    changes,
  }))
  await Promise.all([edits.length > 0 && edit(edits), lastCell && appendTyped(lastCell)])
}
