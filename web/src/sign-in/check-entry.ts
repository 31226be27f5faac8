/** The problems of a sign-in form. Pure. */

export interface EntryField {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autoComplete: string
  readonly hint?: string
}

export type Problems = Readonly<Record<string, string>>

/** The minimum length of a new password. */
const passwordMin = 10

/** The problem of each field, by name. */
export const checkEntry = (
  fields: readonly EntryField[],
  values: Readonly<Record<string, string>>,
): Problems =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const problem = problemOf(field, values[field.name] ?? '')
      return problem === undefined ? [] : [[field.name, problem]]
    }),
  )

function problemOf({ type, autoComplete }: EntryField, value: string): string | undefined {
  if (value.trim() === '') return 'Must not be empty.'
  if (type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value.trim()))
    return 'Must be an e-mail address, such as ada@example.com.'
  if (autoComplete === 'new-password' && value.length < passwordMin)
    return `Must have at least ${passwordMin} characters.`
  return undefined
}
