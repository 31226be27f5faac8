import schema from '@plumbline/sdk/input-schemas?prices.create'
import type { Input as InputOf } from '../../app/api.ts'
import { minuteRule, readMinute } from '../../app/range/range.ts'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { NumberField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useUtc } from '../../ui/text/values.tsx'

interface NewPriceDialogProps {
  readonly isOpen: boolean
  /** The model that was looked up last. */
  readonly model: string
  readonly onClose: () => void
}

/** Adds a price that this workspace pays for a model. */
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
  { name: 'inputPerMillion', label: 'Input' },
  { name: 'outputPerMillion', label: 'Output' },
  { name: 'cacheReadPerMillion', label: 'Cache read' },
  { name: 'cacheWritePerMillion', label: 'Cache write' },
  { name: 'reasoningPerMillion', label: 'Reasoning' },
] as const

type Amounts = Partial<Record<(typeof amounts)[number]['name'], number>>

function PriceForm({ model, onClose }: Omit<NewPriceDialogProps, 'isOpen'>) {
  const [isUtc] = useUtc()
  const form = useOperationForm('prices.create', {
    schema,
    initial: { model, provider: '', startsAt: '', ...({} as Amounts) },
    toInput: ({ provider, startsAt, ...fields }) => ({
      // Safe: without one of the two required fields, the schema check fails before anything is sent.
      ...(fields as typeof fields & Pick<InputOf<'prices.create'>, 'inputPerMillion' | 'outputPerMillion'>),
      model: fields.model.trim(),
      ...(provider.trim() !== '' && { provider: provider.trim() }),
      ...(startsAt.trim() !== '' && { startsAt: readMinute(startsAt, isUtc)?.toISOString() }),
    }),
    // A text field, because the browser's date field follows another country's date format.
    check: ({ startsAt }) =>
      startsAt.trim() === '' || readMinute(startsAt, isUtc) !== undefined
        ? []
        : [{ path: 'startsAt', problem: minuteRule }],
    refreshes: ['prices.list', 'prices.find'],
    onDone: onClose,
  })
  return (
    <Form form={form} action="Create" onCancel={onClose}>
      <TextField
        form={form}
        name="model"
        label="Model"
        hint="* matches any characters: gpt-4o*"
        autoFocus
        spellCheck={false}
        className="font-mono"
      />
      <TextField
        form={form}
        name="provider"
        label="Provider"
        hint="Leave empty for any provider."
        placeholder="open-ai"
        spellCheck={false}
      />
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="mb-1 text-sm font-medium">US dollars per million tokens</legend>
        {amounts.map(({ name, label }) => (
          <NumberField
            key={name}
            form={form}
            name={name}
            label={label}
            placeholder={form.isRequired(name) ? undefined : 'Same as above'}
          />
        ))}
      </fieldset>
      <TextField
        form={form}
        name="startsAt"
        label="Valid from"
        hint={`${isUtc ? 'In UTC' : 'Your time'}. Leave empty for always.`}
        placeholder="2026-11-23 06:59"
        className="numbers"
      />
    </Form>
  )
}
