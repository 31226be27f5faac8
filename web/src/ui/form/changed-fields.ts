/** What a form changes of a thing that others may change too. Pure. */

type Fields = Readonly<Record<string, unknown>>

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The input without the fields that are as they were; those of `required` name the thing, and stay. */
export const changedFields = (input: Fields, before: Fields, required: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(input).filter(([name, value]) => required.includes(name) || !isSame(value, before[name])),
  )

/** The fields that the input changes, and that somebody else has set to another value since. */
export const contestedFields = (input: Fields, before: Fields, latest: Fields): readonly string[] =>
  Object.entries(input)
    .filter(
      ([name, value]) =>
        !isSame(value, before[name]) && !isSame(latest[name], before[name]) && !isSame(latest[name], value),
    )
    .map(([name]) => name)
