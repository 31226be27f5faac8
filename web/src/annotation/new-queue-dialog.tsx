import schema from '@plumbline/sdk/input-schemas?annotationQueues.create'
import { useOperationForm } from '../app/use-operation-form.ts'
import { Form } from '../ui/form/form.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { QueueFields } from './queue-fields.tsx'
import { newQueueValues, queueInput } from './queue-values.ts'

interface NewQueueDialogProps {
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}

export const NewQueueDialog = (props: NewQueueDialogProps) => (
  <Dialog
    isOpen
    onClose={props.onClose}
    title="New annotation queue"
    description="Add traces afterwards: from the trace list, by a filter, or automatically."
  >
    <NewQueueForm {...props} />
  </Dialog>
)

function NewQueueForm({ onClose, onCreated }: NewQueueDialogProps) {
  const form = useOperationForm('annotationQueues.create', {
    schema,
    initial: newQueueValues,
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
