/** What is kept of a form that is not saved, and how it is restored over what was saved meanwhile. Pure. */
import { isSame } from './changed-fields.ts'
import { isOfForm } from './is-of-form.ts'

export interface FormDraft<Values> {
  readonly values: Values
  /** What the form began with. */
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
  /** Whether a field that was typed into has been saved with another value since. */
  readonly isOutdated: boolean
}

/** Fields that nobody typed into have what they hold now, so that saving puts nothing back that somebody has changed. */
export function restoreDraft<Values extends object>(
  { values, base }: FormDraft<Values>,
  initial: Values,
): RestoredValues<Values> {
  const fields = Object.keys(initial) as (keyof Values)[]
  const typedFields = fields.filter((field) => !isSame(values[field], base[field]))
  return {
    // An empty field has no place in what is stored, and is empty all the same.
    values: { ...initial, ...Object.fromEntries(typedFields.map((field) => [field, values[field]])) },
    isOutdated: typedFields.some((field) => !isSame(base[field], initial[field])),
  }
}
