import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'

interface NameDialogProps {
  readonly title: string
  readonly initial: string
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

/** Asks for the name of a view. */
export function NameDialog({ title, initial, onName, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() !== '') onName(name.trim())
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description="Its filter, columns, order and range, for everyone in the workspace."
    >
      <form onSubmit={save}>
        <Field label="Name">
          <Input
            autoFocus
            required
            maxLength={200}
            placeholder="Slow answers of the chat"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
