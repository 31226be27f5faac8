import type { FieldValues } from 'react-hook-form'

/** Whether a stored draft is one of today's form, and not of an older release with other fields. */
export const isOfForm = <Values extends FieldValues>(draft: unknown, initial: Values): draft is Values =>
  isObject(draft) &&
  Object.entries(initial).every(([name, value]) => {
    const field = draft[name]
    // A choice of nothing, where there was one or will be one.
    if (field === null || value === null) return !isObject(value) && !isObject(field)
    // An empty field for a number has no place in what is stored.
    if (typeof value === 'number') return field === undefined || typeof field === 'number'
    if (typeof value === 'string' || typeof value === 'boolean') return typeof field === typeof value
    return Array.isArray(field) === Array.isArray(value) && (!isObject(value) || isObject(field))
  })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
