import { useState } from 'react'
import { useClient } from '../app/api.ts'
import { useToasts } from '../ui/overlay/toast.tsx'
import type { RowChanges } from './grid/changes/use-row-changes.ts'
import { type GridField, newRow } from './grid/fields.ts'
import { uploadFile } from './grid/file-value.tsx'
import type { PastePlan } from './grid/plan-paste.ts'
import type { StoredRow } from './grid/row-types.ts'
import type { Rows } from './grid/use-rows.ts'

/** Puts files into cells, and pasted tables into rows. */
export function useRowSources(rows: Rows, changes: RowChanges, count: number) {
  const client = useClient()
  const toasts = useToasts()
  const [plan, setPlan] = useState<PastePlan>()
  const [isPasting, setPasting] = useState(false)
  const upload = (row: StoredRow | undefined, field: GridField, file: File): void => {
    if (field.type !== 'image' && field.type !== 'file') {
      toasts.fail(new Error(`"${field.header}" does not accept files. Use an image or file column.`))
      return
    }
    uploadFile(client, file)
      .then(async (value) => {
        if (row === undefined) await changes.append([newRow([{ field, value }])])
        else await changes.edit([{ row, changes: [{ field, value }] }])
      })
      .catch(toasts.fail)
  }
  const paste = async (plan: PastePlan): Promise<void> => {
    setPasting(true)
    if (plan.changes.length > 0) await changes.edit(plan.changes)
    if (plan.newRows.length > 0) {
      await rows.reach(count)
      const addedRows = await changes.append(plan.newRows)
      toasts.done(addedRows.length === 1 ? 'Added a row' : `Added ${addedRows.length} rows`)
    }
    setPasting(false)
    setPlan(undefined)
  }
  return { upload, plan, setPlan, paste, isPasting }
}
