/** Another name for a dataset, and its end. */
import { useChange } from '../app/api.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { useToasts } from '../ui/toast.tsx'
import { Count } from '../ui/values.tsx'
import type { Dataset } from './grid/row-types.ts'

interface DatasetDialogProps {
  readonly dataset: Dataset | undefined
  readonly onClose: () => void
}

export function RenameDatasetDialog({ dataset, onClose }: DatasetDialogProps) {
  const rename = useChange('datasets.update', {
    refreshes: ['datasets.list'],
    showsErrors: true,
    onDone: onClose,
  })
  return (
    <NameDialog
      isOpen={dataset !== undefined}
      onClose={onClose}
      title="Rename dataset"
      action="Rename"
      initial={dataset?.name ?? ''}
      isBusy={rename.isPending}
      error={rename.error}
      onDone={(name) => dataset && rename.mutate({ slug: dataset.slug, name })}
    />
  )
}

export function DeleteDatasetDialog({
  dataset,
  onClose,
  onDeleted,
}: DatasetDialogProps & { readonly onDeleted?: () => void }) {
  const toasts = useToasts()
  const remove = useChange('datasets.delete', {
    refreshes: ['datasets.list'],
    onDone: () => {
      toasts.done(`Deleted "${dataset?.name ?? ''}"`)
      onClose()
      onDeleted?.()
    },
  })
  return (
    <ConfirmDialog
      isOpen={dataset !== undefined}
      onClose={onClose}
      title="Delete this dataset?"
      action="Delete"
      typedName={dataset?.slug ?? ''}
      isBusy={remove.isPending}
      onConfirm={() => dataset && remove.mutate({ slug: dataset.slug })}
    >
      <strong className="break-words">{dataset?.name}</strong> and its <Count value={dataset?.rowCount} />{' '}
      rows will be deleted permanently. Applications that use its slug will fail. Traces and experiments are
      kept.
    </ConfirmDialog>
  )
}
