/** Renames and deletes a dataset, from its screen and from the list. */
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { RenameDialog } from '../app/rename-dialog.tsx'
import { Count } from '../ui/text/values.tsx'
import type { Dataset } from './grid/row-types.ts'

interface DatasetDialogProps {
  readonly dataset: Dataset | undefined
  readonly onClose: () => void
}

const refreshes = ['datasets.list'] as const

export const RenameDatasetDialog = ({ dataset, onClose }: DatasetDialogProps) => (
  <RenameDialog
    item={dataset}
    noun="dataset"
    operation="datasets.update"
    toInput={({ slug }, name) => ({ slug, name })}
    refreshes={refreshes}
    onClose={onClose}
  />
)

export const DeleteDatasetDialog = ({
  dataset,
  ...rest
}: DatasetDialogProps & { readonly onDeleted?: () => void }) => (
  <DeleteDialog
    item={dataset}
    noun="dataset"
    operation="datasets.delete"
    toInput={({ slug }) => ({ slug })}
    nameOf={({ name }) => name}
    typedName={({ slug }) => slug}
    refreshes={refreshes}
    {...rest}
  >
    <strong className="break-words">{dataset?.name}</strong> and its <Count value={dataset?.rowCount} /> rows
    will be deleted permanently. Applications that use its slug will fail. Traces and experiments are kept.
  </DeleteDialog>
)
