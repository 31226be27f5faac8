/** Changes of rows: visible at once, written in the background, reverted where the service rejects them, and undone on demand. */
import { RequestFailed } from '@plumbline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, refresh, useClient } from '../../app/api.ts'
import { useToasts } from '../../ui/overlay/toast.tsx'
import {
  type CellChange,
  cellValue,
  changedRow,
  changeInput,
  fieldsOf,
  inverseOf,
  type NewRow,
  valuesOrEmpty,
  withProblems,
} from './fields.ts'
import type { Dataset, StoredRow } from './row-types.ts'
import { rowsPerRequest, useDeletions } from './use-deletions.ts'
import type { Rows } from './use-rows.ts'

const requestsAtOnce = 4
const undoMax = 100

export interface RowEdit {
  readonly row: StoredRow
  readonly changes: readonly CellChange[]
}

export interface RowChanges {
  readonly savingCount: number
  readonly canUndo: boolean
  edit(edits: readonly RowEdit[]): Promise<void>
  append(rows: readonly NewRow[]): Promise<readonly StoredRow[]>
  /** Deletes rows; for 10 seconds an undo puts them back in their places. */
  discard(deletedRows: readonly StoredRow[]): void
  undo(): void
}

export function useRowChanges(
  { slug, columns }: Pick<Dataset, 'slug' | 'columns'>,
  { change, add, reload }: Pick<Rows, 'change' | 'add' | 'reload'>,
  /** What new rows have unless they say otherwise: the grid may show those of one split. */
  defaults: Pick<NewRow, 'split' | 'labels'> = {},
): RowChanges {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [savingCount, setSaving] = useState(0)
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
  const replace = (rows: readonly StoredRow[]): void => {
    const byId = new Map(rows.map((row) => [row.id, row]))
    change((all) => all.map((row) => byId.get(row.id) ?? row))
  }

  /** With `isForced` also over what somebody else has written meanwhile. */
  const write = async (edits: readonly RowEdit[], isForced = false): Promise<void> => {
    replace(edits.map(({ row, changes }) => changedRow(row, changes)))
    const { failedRows, conflicts, failure } = await sendEdits(edits, ({ row, changes }) => {
      const read = changes.map(({ field }) => ({ field, value: cellValue(row, field) ?? null }))
      return countSaving(async () => {
        const { row: storedRow } = await call(client, 'datasets.change', {
          slug,
          id: row.id,
          ...changeInput(changes),
          ...(!isForced && { expected: changeInput(read) }),
        })
        change((all) =>
          all.map((each) => (each.id === row.id ? withProblems(each, storedRow.problems) : each)),
        )
      })
    })
    if (conflicts.length > 0) showConflict(conflicts)
    void refresh(queries, ['datasets.facets', 'datasetVersions.list'])
    if (failedRows.length === 0) return
    replace(failedRows)
    toasts.fail(failure)
  }

  /** Shows what somebody else wrote, and offers to write over it. */
  const showConflict = (conflicts: readonly RowEdit[]): void => {
    reload()
    const texts = conflicts.flatMap(({ changes }) =>
      changes.map(
        ({ field, value }) => `${field.header}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    )
    toasts.conflict('Somebody else changed this meanwhile', {
      description: `Their text is shown. Yours was ${texts.join(', ')}`.slice(0, 300),
      overwrite: () => void write(conflicts, true),
    })
  }

  const edit = async (edits: readonly RowEdit[]): Promise<void> => {
    const back = edits.map(({ row, changes }) => ({
      row: changedRow(row, changes),
      changes: inverseOf(row, changes),
    }))
    remember(() => void write(back))
    await write(edits)
  }

  const append = async (rows: readonly NewRow[]): Promise<readonly StoredRow[]> => {
    const newRows: StoredRow[] = []
    const fields = fieldsOf(columns)
    try {
      for (let from = 0; from < rows.length; from += rowsPerRequest) {
        const part = rows
          .slice(from, from + rowsPerRequest)
          .map((row) => ({ ...defaults, ...row, values: valuesOrEmpty(row.values, fields) }))
        const { ids, problems = [] } = await countSaving(() =>
          call(client, 'datasets.append', { slug, rows: part }),
        )
        newRows.push(...storedRows(part, ids, problems))
      }
    } catch (error) {
      toasts.fail(error)
    }
    add(newRows)
    void refresh(queries, ['datasets.list', 'datasets.facets', 'datasetVersions.list'])
    if (newRows.length > 0) remember(() => discard(newRows))
    return newRows
  }

  const discard = useDeletions(slug, change, { remember, append: (rows) => append(rows.map(asNew)) })
  const undo = (): void => undos.current.pop()?.()
  return { savingCount, canUndo: undos.current.length > 0, edit, append, discard, undo }
}

/** Sends edits, a few at a time; a conflict is one whose cells somebody else has changed. */
async function sendEdits(edits: readonly RowEdit[], send: (edit: RowEdit) => Promise<unknown>) {
  const failedRows: StoredRow[] = []
  const conflicts: RowEdit[] = []
  let failure: unknown
  const queue = [...edits]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        await send(next)
      } catch (error) {
        if (error instanceof RequestFailed && error.status === 409) conflicts.push(next)
        else failedRows.push(next.row)
        failure = error
      }
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, work))
  return { failedRows, conflicts, failure }
}

const asNew = ({ id: _id, createdAt: _createdAt, problems: _problems, ...row }: StoredRow): NewRow => row

/** New rows as the service has them now. */
function storedRows(
  rows: readonly NewRow[],
  ids: readonly string[],
  problems: readonly { readonly row: number; readonly column: string; readonly problem: string }[],
): StoredRow[] {
  const createdAt = new Date().toISOString()
  return rows.map((row, index) => {
    const own = problems.filter((each) => each.row === index)
    const byColumn = Object.fromEntries(own.map(({ column, problem }) => [column, problem]))
    return withProblems(asStored(row, ids[index] ?? '', createdAt), own.length === 0 ? undefined : byColumn)
  })
}

const asStored = (
  { values, name, idealOutput, metadata, split, labels }: NewRow,
  id: string,
  createdAt: string,
): StoredRow => ({
  id,
  createdAt,
  values,
  ...(name != null && { name }),
  ...(idealOutput != null && { idealOutput }),
  ...(metadata != null && { metadata }),
  ...(split != null && { split }),
  ...(labels != null && { labels }),
})
