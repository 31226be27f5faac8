/**
 * The JSON Schema of each operation's input, for forms and other tools that validate input before they send it. Import it
 * in a build rather than in a browser, since it includes the whole contract. The web app's build extracts single schemas.
 */
import { allOperations, otherPatternProblem, patternProblems } from '@plumbline/contract'

/** A JSON Schema. A `pattern` comes with a `problem`: the message for a text that does not match. */
export type InputSchema = Readonly<Record<string, unknown>>

/** Schemas by operation name: `inputSchemas['keys.create']`. */
export const inputSchemas: Readonly<Record<string, InputSchema>> = Object.fromEntries(
  allOperations.map(({ name, input }) => [name, forChecking(input) as InputSchema]),
)

/** Removes the reference texts from a schema, which validation does not need. `properties` contains names, not keywords. */
function forChecking(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => forChecking(inner))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (isNames) return [[keyword, forChecking(value)]]
    if (keyword === 'description' || keyword.startsWith('x-')) return []
    const entry: [string, unknown] = [keyword, forChecking(value, keyword === 'properties')]
    if (keyword !== 'pattern') return [entry]
    return [entry, ['problem', patternProblems[String(value)] ?? otherPatternProblem]]
  })
  return Object.fromEntries(entries)
}
