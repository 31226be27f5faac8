import { NameDialog } from '../ui/overlay/name-dialog.tsx'
import { type Input, type OperationName, useChange } from './api.ts'

interface RenameDialogProps<Item extends { readonly name: string }, Name extends OperationName> {
  /** What to rename; undefined keeps the dialog closed. */
  readonly item: Item | undefined
  /** The noun in the title: `dataset`. */
  readonly noun: string
  readonly operation: Name
  readonly toInput: (item: Item, name: string) => Input<Name>
  readonly refreshes: readonly OperationName[]
  readonly onClose: () => void
}

/** The rename dialog of every kind of resource. */
export function RenameDialog<Item extends { readonly name: string }, Name extends OperationName>({
  item,
  noun,
  operation,
  toInput,
  refreshes,
  onClose,
}: RenameDialogProps<Item, Name>) {
  const rename = useChange(operation, { refreshes, showsErrors: true })
  return (
    <NameDialog
      isOpen={item !== undefined}
      onClose={onClose}
      title={`Rename ${noun}`}
      action="Rename"
      initial={item?.name ?? ''}
      save={async (name) => {
        if (item !== undefined) await rename.mutateAsync(toInput(item, name))
      }}
    />
  )
}
