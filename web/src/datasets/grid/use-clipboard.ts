/** Copies, cuts, clears and pastes the selected area of a grid. */
import { useEffect, useRef } from 'react'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { readBlock, writeBlock } from './block.ts'
import { cellsOfRow, rowWithUnsaved, shownNewRowId } from './changes/unsaved-cells.ts'
import type { RowChanges } from './changes/use-row-changes.ts'
import { clearedValue, type GridField, textOf } from './fields.ts'
import { type Area, type PastePlan, planPaste } from './plan-paste.ts'
import type { StoredRow } from './row-types.ts'
import type { Rows } from './use-rows.ts'

/** A paste of more rows than this shows a preview. */
const silentRowsMax = 200

interface ClipboardOptions {
  /** The grid. */
  readonly scroller: HTMLElement | null
  readonly fields: readonly GridField[]
  readonly rows: Rows
  readonly count: number
  readonly changes: RowChanges | undefined
  readonly area: Area | undefined
  /** An editor has its own clipboard. */
  readonly isEditing: boolean
  readonly onPlan: (plan: PastePlan) => void
  readonly onUpload: (row: StoredRow | undefined, field: GridField, file: File) => void
}

/** Returns a function that clears the area. */
export function useClipboard(options: ClipboardOptions): () => Promise<void> {
  const { scroller, fields, rows, count, changes, area, isEditing, onPlan, onUpload } = options
  const toasts = useToasts()
  /** Whether all existing rows up to this index are loaded. */
  const isRead = (all: readonly StoredRow[], index: number): boolean =>
    all.length > Math.min(index, count - 1)
  const failUnread = (): void =>
    toasts.reject('Not all of these rows have been loaded yet', 'Try again in a moment.')
  const clear = async (): Promise<void> => {
    if (area === undefined || changes === undefined) return
    const loadedRows = await rows.reach(area.bottom)
    if (!isRead(loadedRows, area.bottom)) return failUnread()
    const edits = loadedRows.slice(area.top, area.bottom + 1).flatMap((row) => {
      const cleared = fields
        .slice(area.left, area.right + 1)
        .filter((field) => textOf(row, field) !== '')
        .map((field) => ({ field, value: clearedValue(field) }))
      return cleared.length > 0 ? [{ row, changes: cleared }] : []
    })
    const ids = new Set(loadedRows.slice(area.top, area.bottom + 1).map(({ id }) => id))
    const areaFields = new Set(fields.slice(area.left, area.right + 1).map(({ id }) => id))
    const newRowId = area.bottom >= count ? shownNewRowId(changes.unsavedCells.cells) : undefined
    changes.unsavedCells.forget(
      changes.unsavedCells.cells.filter(
        ({ rowId, field }) => areaFields.has(field.id) && (rowId === newRowId || ids.has(rowId)),
      ),
    )
    if (edits.length > 0) void changes.edit(edits)
  }
  /** Cuts if the event is a cut. */
  const copy = (event: ClipboardEvent): void => {
    if (area === undefined || isEditing) return
    event.preventDefault()
    if (!isRead(rows.loadedRows, area.bottom)) {
      void rows.reach(area.bottom)
      failUnread()
      return
    }
    const block = rows.loadedRows
      .slice(area.top, area.bottom + 1)
      .map((row) => rowWithUnsaved(row, cellsOfRow(changes?.unsavedCells.cells ?? [], row.id)) ?? row)
      .map((row) => fields.slice(area.left, area.right + 1).map((field) => textOf(row, field)))
    event.clipboardData?.setData('text/plain', writeBlock(block))
    if (event.type === 'cut') void clear()
  }
  const paste = async (event: ClipboardEvent): Promise<void> => {
    if (changes === undefined || isEditing) return
    const corner = area ?? { top: count, bottom: count, left: 0, right: 0 }
    const field = fields[corner.left]
    const [file] = event.clipboardData?.files ?? []
    const text = event.clipboardData?.getData('text/plain') ?? ''
    event.preventDefault()
    if (file !== undefined && text === '' && field !== undefined) {
      onUpload(rows.loadedRows[corner.top], field, file)
      return
    }
    const block = readBlock(text)
    const lastRow = Math.max(corner.bottom, corner.top + block.length)
    const loadedRows = await rows.reach(lastRow)
    // Rows that are not loaded would be taken for new ones.
    if (!isRead(loadedRows, lastRow)) return failUnread()
    const plan = planPaste(block, corner, fields, loadedRows)
    const isSilent =
      plan.newRows.length === 0 &&
      plan.problems.length === 0 &&
      plan.lostCount <= 0 &&
      plan.changes.length <= silentRowsMax
    if (!isSilent) onPlan(plan)
    else if (plan.changes.length > 0) await changes.edit(plan.changes)
  }
  useClipboardEvents(scroller, copy, paste)
  return clear
}

/** Handles copy, cut and paste while the focus is in the grid. */
function useClipboardEvents(
  grid: HTMLElement | null,
  onCopy: (event: ClipboardEvent) => void,
  onPaste: (event: ClipboardEvent) => Promise<void>,
): void {
  const latest = useRef({ onCopy, onPaste })
  latest.current = { onCopy, onPaste }
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => {
      const { target } = event
      // Without selected text, Firefox dispatches these events on the body, wherever the focus is.
      const isOfGrid =
        grid?.contains(document.activeElement) === true &&
        (target === document.body || (target instanceof Node && grid.contains(target)))
      if (!isOfGrid) return
      if (event.type === 'paste') void latest.current.onPaste(event)
      else latest.current.onCopy(event)
    }
    const types = ['copy', 'cut', 'paste'] as const
    for (const type of types) document.addEventListener(type, listen)
    return () => {
      for (const type of types) document.removeEventListener(type, listen)
    }
  }, [grid])
}
