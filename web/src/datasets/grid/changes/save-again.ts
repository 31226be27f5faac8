import type { Rows } from '../use-rows.ts'
import { emptyRow, sentIdOf } from './unsaved-cells.ts'
import type { RowChanges } from './use-row-changes.ts'

/** Retries all unsaved changes. For rows that are not shown, the service reports why they cannot be saved. */
export async function saveAgain(
  { unsavedCells, edit, appendTyped }: Pick<RowChanges, 'unsavedCells' | 'edit' | 'appendTyped'>,
  { loadedRows, reach }: Pick<Rows, 'loadedRows' | 'reach'>,
): Promise<void> {
  const cellsById = Map.groupBy(unsavedCells.cells, ({ rowId }) => rowId)
  const newRows = [...cellsById].filter(([id]) => sentIdOf(id) !== undefined)
  for (const [id] of newRows) cellsById.delete(id)
  /** In their order. */
  const appendAll = async (): Promise<void> => {
    for (const [id, cells] of newRows) for (const cell of cells.slice(-1)) await appendTyped(cell, id)
  }
  const loadedIds = new Set(loadedRows.map(({ id }) => id))
  const isLoaded = [...cellsById.keys()].every((id) => loadedIds.has(id))
  const rows = isLoaded ? loadedRows : await reach(Number.POSITIVE_INFINITY)
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const edits = [...cellsById].map(([id, changes]) => ({
    row: rowsById.get(id) ?? { ...emptyRow, id },
    changes,
  }))
  await Promise.all([edits.length > 0 && edit(edits), appendAll()])
}
