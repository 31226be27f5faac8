/** The confirmation dialog of every deletion. */
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/overlay/dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { type Input, type OperationName, useChange } from './api.ts'

interface DeleteDialogProps<Item, Name extends OperationName> {
  /** What to delete; undefined keeps the dialog closed. */
  readonly item: Item | undefined
  /** The noun in the question: `dataset`. */
  readonly noun: string
  readonly operation: Name
  readonly toInput: (item: Item) => Input<Name>
  readonly nameOf: (item: Item) => string
  /** For irreversible deletions: the text to type first. */
  readonly typedName?: (item: Item) => string
  readonly refreshes: readonly OperationName[]
  readonly onClose: () => void
  readonly onDeleted?: () => void
  /** The verb on the button, and its past tense. */
  readonly action?: 'Delete' | 'Revoke'
  /** The consequences of the deletion. */
  readonly children: ReactNode
}

export function DeleteDialog<Item, Name extends OperationName>({
  item,
  noun,
  operation,
  toInput,
  nameOf,
  typedName,
  refreshes,
  onClose,
  onDeleted,
  action = 'Delete',
  children,
}: DeleteDialogProps<Item, Name>) {
  const toasts = useToasts()
  const remove = useChange(operation, {
    refreshes,
    onDone: () => {
      if (item !== undefined) toasts.done(`${action}d "${nameOf(item)}"`)
      onClose()
      onDeleted?.()
    },
  })
  return (
    <ConfirmDialog
      isOpen={item !== undefined}
      onClose={onClose}
      title={`${action} this ${noun}?`}
      action={action}
      {...(typedName && { typedName: item === undefined ? '' : typedName(item) })}
      isBusy={remove.isPending}
      onConfirm={() => item !== undefined && remove.mutate(toInput(item))}
    >
      {children}
    </ConfirmDialog>
  )
}
