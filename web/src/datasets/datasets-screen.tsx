/** The datasets: tables of test cases for applications. */
import { useNavigate } from '@tanstack/react-router'
import { Plus, Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useNarrow } from '../ui/use-width.ts'
import { datasetColumns, narrowColumns } from './dataset-columns.tsx'
import type { Dataset } from './grid/row-types.ts'
import { datasetsRoute } from './routes.ts'

const rowId = ({ slug }: Dataset): string => slug
const wideMinPx = 640

const NewDatasetDialog = lateDialog(async () => (await import('./new-dataset-dialog.tsx')).NewDatasetDialog)
const RenameDatasetDialog = lateDialog(
  async () => (await import('./dataset-dialogs.tsx')).RenameDatasetDialog,
)
const DeleteDatasetDialog = lateDialog(
  async () => (await import('./dataset-dialogs.tsx')).DeleteDatasetDialog,
)

export function DatasetsScreen() {
  const { sort } = datasetsRoute.useSearch()
  const navigate = useNavigate()
  const datasets = useRead('datasets.list', {})
  const mayChange = useSession().may('editor')
  const [isMaking, setMaking] = useState(false)
  const [renaming, setRenaming] = useState<Dataset>()
  const [deleting, setDeleting] = useState<Dataset>()
  const { place, isNarrow } = useNarrow(wideMinPx)
  const columns = useMemo(
    () => datasetColumns(mayChange ? { onRename: setRenaming, onDelete: setDeleting } : undefined, isNarrow),
    [mayChange, isNarrow],
  )
  useCommands(
    mayChange ? [{ label: 'New dataset', words: 'create table cases', run: () => setMaking(true) }] : [],
  )
  const open = ({ slug }: Dataset): void => void navigate({ to: '/datasets/$slug', params: { slug } })
  const newDataset = mayChange && (
    <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={() => setMaking(true)}>
      New dataset
    </Button>
  )
  const rows = datasets.data?.datasets
  return (
    <Screen title="Datasets" actions={rows !== undefined && rows.length > 0 && newDataset}>
      <div ref={place} className="flex min-h-0 flex-1 flex-col">
        {datasets.isError && rows === undefined ? (
          <ErrorState error={datasets.error} onRetry={() => void datasets.refetch()} />
        ) : (
          <DataTable
            label="Datasets"
            columns={columns}
            {...(isNarrow && { columnIds: narrowColumns })}
            rows={rows}
            rowId={rowId}
            hasTwoLines={isNarrow}
            sort={sort}
            onSort={(next) =>
              void navigate({ to: '/datasets', search: (previous) => ({ ...previous, sort: next }) })
            }
            onOpen={open}
            empty={
              <EmptyState icon={<Table2 size={20} />} title="No datasets yet" action={newDataset}>
                A dataset holds test cases for a prompt or an application: inputs, and optionally the ideal
                output. Type or paste them, import a file, or collect them from traces.
              </EmptyState>
            }
          />
        )}
      </div>
      <NewDatasetDialog isOpen={isMaking} onClose={() => setMaking(false)} onMade={open} />
      <RenameDatasetDialog dataset={renaming} onClose={() => setRenaming(undefined)} />
      <DeleteDatasetDialog dataset={deleting} onClose={() => setDeleting(undefined)} />
    </Screen>
  )
}
