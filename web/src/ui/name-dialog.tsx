/** Asks for the one name of something: a new one, or another. */
import { type FormEvent, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { sentenceOf } from './error-state.tsx'
import { Field, Input } from './field.tsx'
import { FormActions } from './form-actions.tsx'

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
      <FormActions
        action={action}
        onCancel={onClose}
        isDisabled={name.trim() === '' || name.trim() === initial}
        isBusy={isBusy}
      />
    </form>
  )
}
