/** Asks for the one name of something: a new one, or another. */
import { type FormEvent, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { sentenceOf } from './error-state.tsx'
import { Field, Input } from './field.tsx'

interface NameDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: string
  readonly label?: string
  readonly placeholder?: string
  /** The verb on the button. */
  readonly action: string
  readonly initial?: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onDone: (name: string) => void
}

export function NameDialog({ isOpen, onClose, title, description, ...form }: NameDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={description}>
      <NameForm onClose={onClose} {...form} />
    </Dialog>
  )
}

function NameForm({
  label = 'Name',
  placeholder,
  action,
  initial = '',
  isBusy,
  error,
  onDone,
  onClose,
}: Omit<NameDialogProps, 'isOpen' | 'title' | 'description'>) {
  const [name, setName] = useState(initial)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onDone(name.trim())
  }
  const problem = error === null || error === undefined ? undefined : sentenceOf(error).description
  return (
    <form onSubmit={submit}>
      <Field label={label} problem={problem}>
        <Input
          value={name}
          placeholder={placeholder}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          autoFocus
          required
          autoComplete="off"
        />
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          disabled={name.trim() === '' || name.trim() === initial}
          isBusy={isBusy}
        >
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
