import type { Evaluator } from '@plumbline/sdk'
import { useChange } from '../app/api.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { useToasts } from '../ui/toast.tsx'

interface DeleteEvaluatorDialogProps {
  readonly evaluator: Evaluator | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteEvaluatorDialog({ evaluator, onClose, onDeleted }: DeleteEvaluatorDialogProps) {
  const toasts = useToasts()
  const remove = useChange('evaluators.delete', {
    refreshes: ['evaluators.list'],
    onDone: () => {
      toasts.done(`Deleted "${evaluator?.name ?? ''}"`)
      onClose()
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      isOpen={evaluator !== undefined}
      onClose={onClose}
      title="Delete this evaluator?"
      action="Delete"
      typedName={evaluator?.slug ?? ''}
      isBusy={remove.isPending}
      onConfirm={() => evaluator && remove.mutate({ slug: evaluator.slug })}
    >
      <strong className="break-words">{evaluator?.name}</strong> and its configuration will be deleted. Its
      scores are kept.
    </ConfirmDialog>
  )
}
