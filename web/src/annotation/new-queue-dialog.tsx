import schema from '@plumbline/sdk/input-schemas?annotationQueues.create'
import { useSession } from '../app/session.tsx'
import { useOperationForm } from '../app/use-operation-form.ts'
import { Form } from '../ui/form/form.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { forgetDraft } from '../ui/storage/draft.ts'
import { QueueFields } from './queue-fields.tsx'
import { newQueueValues, queueInput } from './queue-values.ts'

interface NewQueueDialogProps {
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}

export function NewQueueDialog({ onClose, onCreated }: NewQueueDialogProps) {
  const draftName = `queue.${useSession().ownPlace}/new`
  const close = (): void => {
    forgetDraft(draftName)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title="New annotation queue"
      description="Add traces afterwards: from the trace list, by a filter, or automatically."
    >
      <NewQueueForm draftName={draftName} onClose={close} onCreated={onCreated} />
    </Dialog>
  )
}

function NewQueueForm({
  draftName,
  onClose,
  onCreated,
}: NewQueueDialogProps & { readonly draftName: string }) {
  const form = useOperationForm('annotationQueues.create', {
    schema,
    initial: newQueueValues,
    draftName,
    toInput: queueInput,
    refreshes: ['annotationQueues.list'],
    onDone: ({ queue }) => onCreated(queue.id),
  })
  return (
    <Form form={form} action="Create" onCancel={onClose}>
      <QueueFields form={form} isNew />
    </Form>
  )
}
