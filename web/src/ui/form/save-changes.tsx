import { type FieldValues, useFormState } from 'react-hook-form'
import { Button } from '../button.tsx'
import type { Form } from './use-form.ts'

interface SaveChangesProps<Values extends FieldValues> {
  readonly form: Form<Values>
  /** The verb on the submit button. */
  readonly action: string
}

/** The buttons of a form that shows a saved value: they appear with the first change. */
export function SaveChanges<Values extends FieldValues>({ form, action }: SaveChangesProps<Values>) {
  const { isDirty, isSubmitting, errors } = useFormState({ control: form.control })
  if (!isDirty && !isSubmitting) return null
  return (
    <>
      {errors.root?.message !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {errors.root.message}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" look="primary" isBusy={isSubmitting}>
          {action}
        </Button>
        <Button onClick={form.discardDraft}>Cancel</Button>
      </div>
    </>
  )
}
