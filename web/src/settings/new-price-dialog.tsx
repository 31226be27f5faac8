import { type FormEvent, useState } from 'react'
import { type Input as InputOf, useChange } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'

interface NewPriceDialogProps {
  readonly isOpen: boolean
  /** What was looked up last. */
  readonly model: string
  readonly onClose: () => void
}

/** Asks what a model costs this workspace. */
export function NewPriceDialog({ isOpen, model, onClose }: NewPriceDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New price"
      description="For traces that arrive from now on. Overrides the public price list."
    >
      <PriceForm model={model} onClose={onClose} />
    </Dialog>
  )
}

const amounts = [
  { name: 'inputPerMillion', label: 'Input', isRequired: true },
  { name: 'outputPerMillion', label: 'Output', isRequired: true },
  { name: 'cacheReadPerMillion', label: 'Cache read', isRequired: false },
  { name: 'cacheWritePerMillion', label: 'Cache write', isRequired: false },
  { name: 'reasoningPerMillion', label: 'Reasoning', isRequired: false },
] as const

function PriceForm({ model, onClose }: Omit<NewPriceDialogProps, 'isOpen'>) {
  const [startsAt, setStartsAt] = useState('')
  const create = useChange('prices.create', {
    refreshes: ['prices.list', 'prices.find'],
    showsErrors: true,
    onDone: onClose,
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string): string => String(fields.get(name) ?? '').trim()
    const amountEntries = amounts.flatMap(({ name }) =>
      text(name) === '' ? [] : [[name, Number(text(name))] as const],
    )
    create.mutate({
      model: text('model'),
      ...(text('provider') !== '' && { provider: text('provider') }),
      ...(startsAt !== '' && { startsAt: new Date(startsAt).toISOString() }),
      // Safe: the two that must be there are required fields.
      ...(Object.fromEntries(amountEntries) as Pick<
        InputOf<'prices.create'>,
        'inputPerMillion' | 'outputPerMillion'
      >),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Model" hint="* matches any characters: gpt-4o*">
        <Input
          name="model"
          defaultValue={model}
          required
          autoFocus
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      <Field label="Provider" hint="Leave empty for any provider.">
        <Input name="provider" placeholder="open-ai" spellCheck={false} />
      </Field>
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="mb-1 text-sm font-medium">US dollars per million tokens</legend>
        {amounts.map(({ name, label, isRequired }) => (
          <Field key={name} label={label}>
            <Input
              name={name}
              type="number"
              min={0}
              step="any"
              required={isRequired}
              placeholder={isRequired ? undefined : 'Same as above'}
            />
          </Field>
        ))}
      </fieldset>
      <Field label="Valid from" hint="Leave empty for always.">
        <Input
          type="datetime-local"
          value={startsAt}
          onChange={(event) => setStartsAt(event.currentTarget.value)}
        />
      </Field>
      <FormActions action="Create" onCancel={onClose} isBusy={create.isPending} error={create.error} />
    </form>
  )
}
