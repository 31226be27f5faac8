/** The changes of a form to a resource that others may change too. Pure. */

type Fields = Readonly<Record<string, unknown>>

/** An empty field may be absent or null. */
export const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The input without unchanged fields; those in `requiredNames` identify the resource, and stay. */
export const changedFields = (input: Fields, initial: Fields, requiredNames: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => requiredNames.includes(name) || !isSame(value, initial[name]),
    ),
  )

/** The fields that the input changes, and that another user has changed differently since. */
export const contestedFields = (input: Fields, initial: Fields, latest: Fields): readonly string[] =>
  Object.entries(input)
    .filter(
      ([name, value]) =>
        !isSame(value, initial[name]) && !isSame(latest[name], initial[name]) && !isSame(latest[name], value),
    )
    .map(([name]) => name)

/** The values, with untouched ones replaced by the current ones. */
export function withLatest<Values extends object>(values: Values, initial: Values, latest: Values): Values {
  const names = Object.keys(values) as (keyof Values)[]
  const current = names.map((name) => [name, (isSame(values[name], initial[name]) ? latest : values)[name]])
  // Safe: it has the names of the values.
  return Object.fromEntries(current) as Values
}

export const contestedText = 'Someone else has changed this meanwhile. Save again to overwrite it.'
