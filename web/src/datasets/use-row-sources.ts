import { useState } from 'react'
import { useClient } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { forgetInTab, keepInTab, readInTab } from '../ui/storage/tab-storage.ts'
import { makeRowId } from './grid/changes/row-id.ts'
import type { RowChanges } from './grid/changes/use-row-changes.ts'
import { type GridField, newRow } from './grid/fields.ts'
import { uploadFile } from './grid/file-value.tsx'
import type { PastePlan } from './grid/plan-paste.ts'
import type { StoredRow } from './grid/row-types.ts'
import type { Rows } from './grid/use-rows.ts'

/** Pasted rows that are not stored yet: they stay in this tab, even across a new sign-in. */
interface UnsavedPaste {
  readonly newRows: PastePlan['newRows']
  readonly problem: string
}

const planOf = (rest: UnsavedPaste): PastePlan => ({ changes: [], problems: [], lostCount: 0, ...rest })

// Safe: only `useRowSources` writes this value.
const readPlan = (text: string | undefined): PastePlan | undefined =>
  text === undefined ? undefined : planOf(JSON.parse(text) as UnsavedPaste)

/** Puts files into cells, and pasted tables into rows. */
export function useRowSources(slug: string, rows: Rows, changes: RowChanges, count: number) {
  const client = useClient()
  const toasts = useToasts()
  const { ownPlace } = useSession()
  const name = `unsaved-paste.${ownPlace}/${slug}`
  const [plan, setPlan] = useState(() => readPlan(readInTab(name)))
  const choosePlan = (next: PastePlan | undefined): void => {
    forgetInTab(name)
    setPlan(next)
  }
  const [isPasting, setPasting] = useState(false)
  const upload = (row: StoredRow | undefined, field: GridField, file: File): void => {
    if (field.type !== 'image' && field.type !== 'file') {
      toasts.reject(`"${field.header}" does not accept files`, 'Use an image or file column.')
      return
    }
    uploadFile(client, file)
      .then(async (value) => {
        if (row === undefined) {
          const { failure } = await changes.append([newRow([{ field, value }])])
          if (failure !== undefined) throw failure
        } else await changes.edit([{ row, changes: [{ field, value }] }])
      })
      .catch(toasts.fail)
  }
  const paste = async (plan: PastePlan): Promise<void> => {
    setPasting(true)
    if (plan.changes.length > 0) await changes.edit(plan.changes)
    if (plan.newRows.length > 0) await addRows(plan.newRows)
    else choosePlan(undefined)
    setPasting(false)
  }
  /** Rows that could not be added stay in the dialog, to be pasted again. */
  const addRows = async (newRowsOfPlan: PastePlan['newRows']): Promise<void> => {
    // Rows whose response was lost are recognized by their ids when they are pasted again.
    const plannedRows = newRowsOfPlan.map((row) => ({ ...row, id: row.id ?? makeRowId() }))
    await rows.reach(count)
    const { newRows, failure } = await changes.append(plannedRows)
    if (newRows.length > 0) toasts.done(newRows.length === 1 ? 'Added a row' : `Added ${newRows.length} rows`)
    if (failure === undefined) return choosePlan(undefined)
    const remainingRows = plannedRows.slice(newRows.length)
    const problem = sentenceOf(failure).description
    keepInTab(name, JSON.stringify({ newRows: remainingRows, problem } satisfies UnsavedPaste))
    setPlan(planOf({ newRows: remainingRows, problem }))
  }
  return { upload, plan, setPlan: choosePlan, paste, isPasting }
}
