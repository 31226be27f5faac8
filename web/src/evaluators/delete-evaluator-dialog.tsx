import type { Evaluator } from '@plumbline/sdk'
import { DeleteDialog } from '../app/delete-dialog.tsx'

interface DeleteEvaluatorDialogProps {
  readonly evaluator: Evaluator | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export const DeleteEvaluatorDialog = ({ evaluator, ...rest }: DeleteEvaluatorDialogProps) => (
  <DeleteDialog
    item={evaluator}
    noun="evaluator"
    operation="evaluators.delete"
    toInput={({ slug }) => ({ slug })}
    nameOf={({ name }) => name}
    typedName={({ slug }) => slug}
    refreshes={['evaluators.list']}
    {...rest}
  >
    <strong className="break-words">{evaluator?.name}</strong> and its configuration will be deleted. Its
    scores are kept.
  </DeleteDialog>
)
