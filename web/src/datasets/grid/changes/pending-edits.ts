/**
 * Edits in flight to the service. Edits of one cell are sent one after another, because each states the stored value,
 * which depends on the previous edit.
 */
import { type CellChange, cellValue, type GridField } from '../fields.ts'
import type { StoredRow } from '../row-types.ts'

export interface RowEdit {
  readonly row: StoredRow
  readonly changes: readonly CellChange[]
}

interface PendingCell {
  /** The stored value while edits of the cell are in flight. */
  storedValue: unknown
  lastEdit: RowEdit
  editCount: number
}

export interface PendingEdits {
  /** Registers an edit that is about to be sent; each ends once. */
  begin(edit: RowEdit): void
  /** The row with the stored values of the edited cells. */
  storedValuesOf(edit: RowEdit): readonly CellChange[]
  /** Returns its changes that no later edit has replaced. */
  end(edit: RowEdit, isStored: boolean): readonly CellChange[]
  /** Runs `send` once the earlier edits of the same cells have ended. */
  inOrder(edit: RowEdit, send: () => Promise<void>): Promise<void>
}

export function makePendingEdits(): PendingEdits {
  const cells = new Map<string, PendingCell>()
  const lastSends = new Map<string, Promise<unknown>>()
  const keyOf = ({ row }: RowEdit, { id }: GridField): string => JSON.stringify([row.id, id])
  return {
    begin(edit) {
      for (const { field } of edit.changes) {
        const key = keyOf(edit, field)
        const cell = cells.get(key)
        if (cell === undefined)
          cells.set(key, { storedValue: cellValue(edit.row, field) ?? null, lastEdit: edit, editCount: 1 })
        else {
          cell.lastEdit = edit
          cell.editCount++
        }
      }
    },
    storedValuesOf: (edit) =>
      edit.changes.map(({ field }) => ({ field, value: cells.get(keyOf(edit, field))?.storedValue ?? null })),
    end: (edit, isStored) =>
      edit.changes.filter(({ field, value }) => {
        const key = keyOf(edit, field)
        const cell = cells.get(key)
        if (cell === undefined) return true
        if (isStored) cell.storedValue = value
        if (--cell.editCount === 0) cells.delete(key)
        return cell.lastEdit === edit
      }),
    async inOrder(edit, send) {
      const keys = edit.changes.map(({ field }) => keyOf(edit, field))
      const result = Promise.allSettled(keys.map((key) => lastSends.get(key))).then(send)
      for (const key of keys) lastSends.set(key, result)
      try {
        await result
      } finally {
        for (const key of keys) if (lastSends.get(key) === result) lastSends.delete(key)
      }
    },
  }
}
