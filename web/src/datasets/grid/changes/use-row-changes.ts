/**
 * Row changes: visible at once, saved in the background, and undoable. Changes that cannot be saved stay in their
 * cells, with the reason.
 */
import { RequestFailed } from '@plumbline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, refresh, useClient } from '../../../app/api.ts'
import { sentenceOf } from '../../../ui/error-state.tsx'
import { useToasts } from '../../../ui/overlay/toast.tsx'
import {
  type CellChange,
  changedRow,
  changeInput,
  inverseOf,
  type NewRow,
  withoutChanges,
  withProblems,
} from '../fields.ts'
import type { Dataset, StoredRow } from '../row-types.ts'
import type { Rows } from '../use-rows.ts'
import { makePendingEdits, type RowEdit } from './pending-edits.ts'
import { storedCells } from './unsaved-cells.ts'
import { type AddedRows, useAddedRows } from './use-added-rows.ts'
import { useDeletions } from './use-deletions.ts'
import { type UnsavedCells, useUnsavedCells } from './use-unsaved-cells.ts'

const requestsAtOnce = 4
const undoMax = 100

export interface RowChanges {
  readonly savingCount: number
  readonly canUndo: boolean
  edit(edits: readonly RowEdit[]): Promise<void>
  append(rows: readonly NewRow[]): Promise<AddedRows>
  /**
   * Creates a row from the text typed below the last row, including earlier unsaved text there; or from another
   * unsaved new row.
   */
  appendTyped(cell: CellChange, rowId?: string): Promise<void>
  /** Unsaved texts, which can be saved again. */
  readonly unsavedCells: UnsavedCells
  /** Deletes rows; for 10 seconds an undo puts them back in their places. */
  discard(deletedRows: readonly StoredRow[]): void
  undo(): void
}

export function useRowChanges(
  { slug, columns }: Pick<Dataset, 'slug' | 'columns'>,
  { loadedRows, change, add, reload }: Pick<Rows, 'loadedRows' | 'change' | 'add' | 'reload'>,
  /** The default values of new rows: the grid may show one split only. */
  defaults: Pick<NewRow, 'split' | 'labels'> = {},
): RowChanges {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [savingCount, setSaving] = useState(0)
  const unsavedCells = useUnsavedCells({ slug, columns })
  const forget = useRef(unsavedCells.forget)
  forget.current = unsavedCells.forget
  useEffect(
    () => forget.current(storedCells(unsavedCells.cells, loadedRows)),
    [unsavedCells.cells, loadedRows],
  )
  const [pendingEdits] = useState(makePendingEdits)
  const undos = useRef<(() => void)[]>([])
  const remember = (undo: () => void): void => {
    undos.current = [...undos.current, undo].slice(-undoMax)
  }
  const countSaving = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    setSaving((count) => count + 1)
    try {
      return await work()
    } finally {
      setSaving((count) => count - 1)
    }
  }
  /** Changes the rows as they are now: cells beside the edited ones may have changed since an edit began. */
  const redraw = (edits: readonly RowEdit[], draw: (row: StoredRow, edit: RowEdit) => StoredRow): void => {
    const byId = new Map(edits.map((each) => [each.row.id, each]))
    change((all) =>
      all.map((row) => {
        const own = byId.get(row.id)
        return own === undefined ? row : draw(row, own)
      }),
    )
  }

  const send = (edit: RowEdit, isForced: boolean): Promise<void> =>
    countSaving(async () => {
      const { id } = edit.row
      const { row: storedRow } = await call(client, 'datasets.change', {
        slug,
        id,
        ...changeInput(edit.changes),
        ...(!isForced && { expected: changeInput(pendingEdits.storedValuesOf(edit)) }),
      })
      const own = pendingEdits.end(edit, true)
      change((all) =>
        all.map((row) => (row.id === id ? withProblems(changedRow(row, own), storedRow.problems) : row)),
      )
    })

  /** Applies the edit to the stored row, without changes that a later edit has replaced. */
  const endFailed = (edit: RowEdit): RowEdit => {
    const row = changedRow(edit.row, pendingEdits.storedValuesOf(edit))
    return { row, changes: pendingEdits.end(edit, false) }
  }

  /** Resolves to the ids of the rows that could not be saved; `isForced` overwrites concurrent changes by others. */
  const write = async (edits: readonly RowEdit[], isForced = false): Promise<ReadonlySet<string>> => {
    const cells = edits.flatMap(cellsOfEdit)
    unsavedCells.forget(cells)
    const release = unsavedCells.hold(cells)
    redraw(edits, (row, { changes }) => changedRow(row, changes))
    for (const each of edits) pendingEdits.begin(each)
    const results = await sendEdits(edits, (each) => pendingEdits.inOrder(each, () => send(each, isForced)))
    const failedEdits = results.failedEdits.map(endFailed)
    const conflicts = results.conflicts.map(endFailed)
    release()
    if (conflicts.length > 0) showConflict(conflicts)
    void refresh(queries, ['datasets.facets', 'datasetVersions.list'])
    const failedIds = new Set([...failedEdits, ...conflicts].map(({ row }) => row.id))
    if (failedEdits.length === 0) return failedIds
    redraw(failedEdits, (row, { changes, row: before }) => withoutChanges(row, changes, before))
    const problem = sentenceOf(results.failure).description
    unsavedCells.keep(failedEdits.flatMap(cellsOfEdit).map((cell) => ({ ...cell, problem })))
    toasts.fail(results.failure)
    return failedIds
  }

  /** Loads the conflicting values of another user, and offers to overwrite them. */
  const showConflict = (conflicts: readonly RowEdit[]): void => {
    reload()
    const problem = 'Someone else has changed this cell.'
    unsavedCells.keep(conflicts.flatMap(cellsOfEdit).map((cell) => ({ ...cell, problem })))
    toasts.conflict('Someone else has changed this', {
      description: 'Your text is still in the cell. Press Esc in the cell to discard it and see theirs.',
      overwrite: () => void write(conflicts, true),
    })
  }

  const edit = async (edits: readonly RowEdit[]): Promise<void> => {
    const back = edits.map(({ row, changes }) => ({
      row: changedRow(row, changes),
      changes: inverseOf(row, changes),
    }))
    let failedIds: ReadonlySet<string> = new Set()
    remember(() => void write(back.filter(({ row }) => !failedIds.has(row.id))))
    failedIds = await write(edits)
  }

  const { append, appendTyped } = useAddedRows(
    { slug, columns, defaults },
    { add, countSaving, unsavedCells, onAdded: (rows) => remember(() => discard(rows)) },
  )
  const deleteRows = useDeletions(slug, change, {
    remember,
    append: async (rows) => {
      const { failure } = await append(rows.map(asNew))
      if (failure !== undefined) throw failure
    },
  })
  const discard = (rows: readonly StoredRow[]): void => {
    const ids = new Set(rows.map(({ id }) => id))
    unsavedCells.forget(unsavedCells.cells.filter(({ rowId }) => ids.has(rowId)))
    deleteRows(rows)
  }
  const undo = (): void => undos.current.pop()?.()
  const canUndo = undos.current.length > 0
  return { savingCount, canUndo, unsavedCells, edit, append, appendTyped, discard, undo }
}

/** Sends edits, a few at a time; edits whose cells another user has changed are conflicts. */
async function sendEdits(edits: readonly RowEdit[], send: (edit: RowEdit) => Promise<unknown>) {
  const failedEdits: RowEdit[] = []
  const conflicts: RowEdit[] = []
  let failure: unknown
  const queue = [...edits]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        await send(next)
      } catch (error) {
        if (error instanceof RequestFailed && error.status === 409) conflicts.push(next)
        else {
          failedEdits.push(next)
          failure = error
        }
      }
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, work))
  return { failedEdits, conflicts, failure }
}

const cellsOfEdit = ({ row, changes }: RowEdit) => changes.map((change) => ({ ...change, rowId: row.id }))

const asNew = ({ id: _id, createdAt: _createdAt, problems: _problems, ...row }: StoredRow): NewRow => row
