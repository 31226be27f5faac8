import { type FormEvent, useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { useChange } from './api.ts'

interface NewWorkspaceDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onMade: (id: string) => void
}

/** Makes a workspace that the person owns. */
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
  const [name, setName] = useState('')
  const create = useChange('workspaces.create', {
    showsErrors: true,
    onDone: ({ workspace }) => {
      onClose?.()
      onMade?.(workspace.id)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ name: name.trim() })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name">
        <Input
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoFocus
          required
          maxLength={128}
        />
      </Field>
      <FormActions
        action="Create"
        onCancel={onClose}
        isDisabled={name.trim() === ''}
        isBusy={create.isPending}
        error={create.error}
      />
    </form>
  )
}
