import schema from '@plumbline/sdk/input-schemas?workspaces.create'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useOperationForm } from '../use-operation-form.ts'

interface NewWorkspaceDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMade: (id: string) => void
}

/** Creates a workspace; the person becomes its owner. */
export function NewWorkspaceDialog({ isOpen, onClose, onMade }: NewWorkspaceDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New workspace"
      description="A workspace has its own traces, prompts, API keys and members. You will be its owner."
    >
      <WorkspaceForm onClose={onClose} onMade={onMade} />
    </Dialog>
  )
}

export function WorkspaceForm({ onClose, onMade }: Partial<NewWorkspaceDialogProps>) {
  const form = useOperationForm('workspaces.create', {
    schema,
    initial: { name: '' },
    toInput: ({ name }) => ({ name: name.trim() }),
    onDone: ({ workspace }) => {
      onClose?.()
      onMade?.(workspace.id)
    },
  })
  return (
    <Form form={form} action="Create" onCancel={onClose}>
      <TextField form={form} name="name" label="Name" autoFocus maxLength={128} />
    </Form>
  )
}
