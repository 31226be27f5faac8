/** The stored draft of an unsaved form, and how it is merged with values saved meanwhile. Pure. */
import { isSame } from './changed-fields.ts'
import { isOfForm } from './is-of-form.ts'

export interface FormDraft<Values> {
  readonly values: Values
  /** The initial values of the form. */
  readonly base: Values
}

export const isFormDraft = <Values extends object>(
  draft: unknown,
  initial: Values,
): draft is FormDraft<Values> =>
  typeof draft === 'object' &&
  draft !== null &&
  'values' in draft &&
  'base' in draft &&
  isOfForm(draft.values, initial) &&
  isOfForm(draft.base, initial)

export interface RestoredValues<Values> {
  readonly values: Values
  /** Whether an edited field has been saved with another value since. */
  readonly isOutdated: boolean
}

/** Unedited fields take their current values, so that saving does not revert others' changes. */
export function restoreDraft<Values extends object>(
  { values, base }: FormDraft<Values>,
  initial: Values,
): RestoredValues<Values> {
  const fields = Object.keys(initial) as (keyof Values)[]
  const typedFields = fields.filter((field) => !isSame(values[field], base[field]))
  return {
    // An empty field is absent from the stored draft, but still counts as empty.
    values: { ...initial, ...Object.fromEntries(typedFields.map((field) => [field, values[field]])) },
    isOutdated: typedFields.some((field) => !isSame(base[field], initial[field])),
  }
}
