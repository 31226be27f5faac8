/** The fields of a queue: its name, annotators and evaluators. */
import { NumberField, TextareaField, TextField } from '../ui/form/fields.tsx'
import type { Form } from '../ui/form/use-form.ts'
import { EvaluatorChoice } from './evaluator-choice.tsx'
import type { QueueValues } from './queue-values.ts'

interface QueueFieldsProps {
  readonly form: Form<QueueValues>
  readonly isNew?: boolean
}

export function QueueFields({ form, isNew = false }: QueueFieldsProps) {
  return (
    <>
      <TextField form={form} name="name" label="Name" isRequired autoFocus={isNew} maxLength={200} />
      <EvaluatorChoice form={form} />
      <NumberField
        form={form}
        name="annotatorsPerItem"
        label="People per item"
        hint="With two or more, you can measure agreement."
        inputMode="numeric"
        className="w-24"
      />
      <TextareaField
        form={form}
        name="instructions"
        label="Instructions"
        hint="What annotators need to know. Supports Markdown."
        rows={5}
        maxLength={20_000}
      />
    </>
  )
}
