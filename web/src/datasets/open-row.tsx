import { lazy, Suspense } from 'react'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { SidePanel } from '../ui/split-pane.tsx'
import { cellsOfRow } from './grid/changes/unsaved-cells.ts'
import type { RowChanges } from './grid/changes/use-row-changes.ts'
import type { GridField } from './grid/fields.ts'
import type { StoredRow } from './grid/row-types.ts'

const RowPanel = lazy(async () => ({ default: (await import('./grid/row-panel.tsx')).RowPanel }))

interface OpenRowProps {
  readonly row: StoredRow
  readonly index: number
  readonly fields: readonly GridField[]
  /** Absent for users who may not change anything. */
  readonly changes: RowChanges | undefined
  readonly onUpload: (row: StoredRow, field: GridField, file: File) => void
  readonly onClose: () => void
}

/** The panel of one row, beside the grid. */
export const OpenRow = ({ row, index, fields, changes, onUpload, onClose }: OpenRowProps) => (
  <SidePanel name="dataset-row" label="Row" initialPx={480} onClose={onClose}>
    <Suspense fallback={<SkeletonRows />}>
      <RowPanel
        key={row.id}
        row={row}
        index={index}
        fields={fields}
        unsavedCells={changes && cellsOfRow(changes.unsavedCells.cells, row.id)}
        onEdit={changes && ((rowChanges) => void changes.edit([{ row, changes: rowChanges }]))}
        onUpload={(field, file) => onUpload(row, field, file)}
        onClose={onClose}
      />
    </Suspense>
  </SidePanel>
)
