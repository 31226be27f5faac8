import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { EvaluatorChoice } from './evaluator-choice.tsx'
import { readPeople } from './read-people.ts'

interface NewQueueDialogProps {
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}

export function NewQueueDialog({ onClose, onCreated }: NewQueueDialogProps) {
  const [name, setName] = useState('')
  const [slugs, setSlugs] = useState<readonly string[]>([])
  const [people, setPeople] = useState('1')
  const [instructions, setInstructions] = useState('')
  const create = useChange('annotationQueues.create', {
    refreshes: ['annotationQueues.list'],
    showsErrors: true,
    onDone: ({ queue }) => onCreated(queue.id),
  })
  const annotatorsPerItem = readPeople(people)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (annotatorsPerItem === undefined) return
    create.mutate({ name: name.trim(), evaluatorSlugs: [...slugs], annotatorsPerItem, instructions })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New annotation queue"
      description="Traces are added afterwards: from the list of traces, by a filter, or by themselves."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Name">
          <Input
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            autoFocus
            maxLength={200}
          />
        </Field>
        <EvaluatorChoice slugs={slugs} onChange={setSlugs} />
        <Field
          label="People an item"
          hint="Two or more show how far people agree."
          problem={annotatorsPerItem === undefined ? 'A whole number from 1 to 20.' : undefined}
        >
          <Input
            inputMode="numeric"
            value={people}
            onChange={(event) => setPeople(event.currentTarget.value)}
          />
        </Field>
        <Field label="Instructions" hint="In Markdown. What to know before judging.">
          <Textarea
            rows={4}
            maxLength={20_000}
            value={instructions}
            onChange={(event) => setInstructions(event.currentTarget.value)}
          />
        </Field>
        <FormActions
          action="Create"
          onCancel={onClose}
          isDisabled={name.trim() === '' || slugs.length === 0 || annotatorsPerItem === undefined}
          isBusy={create.isPending}
          error={create.error}
        />
      </form>
    </Dialog>
  )
}
