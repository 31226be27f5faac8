/** Asks for the name of a new or an existing resource. */

import type { InputProblem } from '../form/check-input.ts'
import { TextField } from '../form/fields.tsx'
import { Form } from '../form/form.tsx'
import { useForm } from '../form/use-form.ts'
import { Dialog } from './dialog.tsx'

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
  /** Saves the name; its error is shown at the field. */
  readonly save: (name: string) => Promise<unknown>
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
  save,
  onClose,
}: Omit<NameDialogProps, 'isOpen' | 'title' | 'description'>) {
  const form = useForm({
    initial: { name: initial },
    check: ({ name }): readonly InputProblem[] =>
      name.trim() === '' ? [{ path: 'name', problem: 'must not be empty' }] : [],
    toInput: ({ name }) => name.trim(),
    send: async (name) => {
      if (name !== initial) await save(name)
      onClose()
    },
  })
  return (
    <Form form={form} action={action} onCancel={onClose} className="">
      <TextField
        form={form}
        name="name"
        label={label}
        placeholder={placeholder}
        maxLength={200}
        onFocus={(event) => event.currentTarget.select()}
        autoFocus
        autoComplete="off"
      />
    </Form>
  )
}
