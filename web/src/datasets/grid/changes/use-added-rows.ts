/** New rows: pasted, restored, or typed below the last one. */
import { useQueryClient } from '@tanstack/react-query'
import { call, refresh, useClient } from '../../../app/api.ts'
import { sentenceOf } from '../../../ui/error-state.tsx'
import { useToasts } from '../../../ui/overlay/toast.tsx'
import { type CellChange, fieldsOf, type NewRow, newRow, valuesOrEmpty, withProblems } from '../fields.ts'
import type { Dataset, StoredRow } from '../row-types.ts'
import type { Rows } from '../use-rows.ts'
import { makeRowId } from './row-id.ts'
import { cellsOfRow, newRowIdOf, sentIdOf, shownNewRowId, withoutCells } from './unsaved-cells.ts'
import { rowsPerRequest } from './use-deletions.ts'
import type { UnsavedCells } from './use-unsaved-cells.ts'

interface AddedRowsInput extends Pick<Dataset, 'slug' | 'columns'> {
  /** The default values of new rows. */
  readonly defaults: Pick<NewRow, 'split' | 'labels'>
}

interface AddedRowsOptions extends Pick<Rows, 'add'> {
  readonly countSaving: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly unsavedCells: UnsavedCells
  readonly onAdded: (rows: readonly StoredRow[]) => void
}

export interface AddedRows {
  readonly newRows: readonly StoredRow[]
  /** Why some rows are missing; undefined if all were added. */
  readonly failure: unknown
}

export function useAddedRows(
  { slug, columns, defaults }: AddedRowsInput,
  { add, countSaving, unsavedCells, onAdded }: AddedRowsOptions,
) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()

  /** Adds as many rows as it can, in order. */
  const append = async (rows: readonly NewRow[]): Promise<AddedRows> => {
    const newRows: StoredRow[] = []
    const fields = fieldsOf(columns)
    let failure: unknown
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
      failure = error
    }
    add(newRows)
    void refresh(queries, ['datasets.list', 'datasets.facets', 'datasetVersions.list'])
    if (newRows.length > 0) onAdded(newRows)
    return { newRows, failure }
  }

  const appendTyped = async (
    cell: CellChange,
    rowId = shownNewRowId(unsavedCells.cells) ?? newRowIdOf(makeRowId()),
  ): Promise<void> => {
    const typed = { ...cell, rowId }
    const unsaved = cellsOfRow(unsavedCells.cells, rowId) ?? []
    const cells = [...withoutCells(unsaved, [typed]), typed]
    unsavedCells.forget(cells)
    const release = unsavedCells.hold(cells)
    // The row may already be stored if the response was lost: a retry replaces it.
    const { failure } = await append([{ ...newRow(cells), id: sentIdOf(rowId) ?? makeRowId() }])
    release()
    if (failure === undefined) return
    toasts.fail(failure)
    const problem = sentenceOf(failure).description
    unsavedCells.keep(cells.map((each) => ({ ...each, problem })))
  }
  return { append, appendTyped }
}

/** New rows as stored by the service. */
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
