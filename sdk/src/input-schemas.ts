/**
 * The JSON Schema of each operation's input, for forms and other tools that check input before they send it. Import it
 * in a build rather than in a browser: it brings the whole contract. The web app's build takes one schema at a time.
 */
import { allOperations, otherPatternProblem, patternProblems } from '@plumbline/contract'

/** A JSON Schema. A `pattern` has a `problem` beside it: the sentence for a text that does not match. */
export type InputSchema = Readonly<Record<string, unknown>>

/** By the name of the operation: `inputSchemas['keys.create']`. */
export const inputSchemas: Readonly<Record<string, InputSchema>> = Object.fromEntries(
  allOperations.map(({ name, input }) => [name, forChecking(input) as InputSchema]),
)

/** The schema without the texts of the reference, which no check reads. `properties` holds names, not keywords. */
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
