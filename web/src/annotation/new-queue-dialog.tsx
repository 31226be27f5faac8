import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { emptyQueue, QueueFields, readQueue } from './queue-fields.tsx'

interface NewQueueDialogProps {
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}

export function NewQueueDialog({ onClose, onCreated }: NewQueueDialogProps) {
  const [draft, setDraft] = useState(emptyQueue)
  const create = useChange('annotationQueues.create', {
    refreshes: ['annotationQueues.list'],
    showsErrors: true,
    onDone: ({ queue: made }) => onCreated(made.id),
  })
  const queue = readQueue(draft)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (queue !== undefined) create.mutate(queue)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New annotation queue"
      description="Add traces afterwards: from the trace list, by a filter, or automatically."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <QueueFields draft={draft} onChange={setDraft} isNew />
        <FormActions
          action="Create"
          onCancel={onClose}
          isDisabled={queue === undefined}
          isBusy={create.isPending}
          error={create.error}
        />
      </form>
    </Dialog>
  )
}
