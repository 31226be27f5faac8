import type { FieldValues } from 'react-hook-form'

/** Whether a stored draft matches the current form, rather than an older release's. */
export const isOfForm = <Values extends FieldValues>(draft: unknown, initial: Values): draft is Values =>
  isObject(draft) &&
  Object.entries(initial).every(([name, value]) => {
    const field = draft[name]
    // An empty choice is compatible with a selected one.
    if (field === null || value === null) return !isObject(value) && !isObject(field)
    // An empty number field is absent from the stored draft.
    if (typeof value === 'number') return field === undefined || typeof field === 'number'
    if (typeof value === 'string' || typeof value === 'boolean') return typeof field === typeof value
    return Array.isArray(field) === Array.isArray(value) && (!isObject(value) || isObject(field))
  })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
