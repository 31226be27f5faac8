/** Changes of a filter by clicks; the text stays what states it. Pure. */
import { statedField } from './filter-fields.ts'
import { type Clause, isClause, readParts, writeClause } from './filter-text.ts'

const joined = (texts: readonly string[]): string => texts.join(' ')

/** The text without one of its parts. */
export const withoutPart = (text: string, index: number): string =>
  joined(readParts(text).flatMap((part, partIndex) => (partIndex === index ? [] : [part.text])))

/** The text with one of its parts said otherwise. */
export const withPart = (text: string, index: number, replacement: string): string =>
  joined(readParts(text).map((part, partIndex) => (partIndex === index ? replacement : part.text)))

/** The text and a clause more, unless it says that already. */
export function withClause(text: string, clause: Clause): string {
  const clauseText = writeClause(clause)
  const parts = readParts(text).map((part) => part.text)
  return parts.includes(clauseText) ? text.trim() : joined([...parts, clauseText])
}

const isValuesOf = (clause: Clause, field: string): clause is Clause & { type: 'values' } =>
  clause.type === 'values' && clause.field === field && !clause.isNot

/** The values that a field is asked for. */
export const valuesOf = (text: string, field: string): readonly string[] =>
  readParts(text).flatMap(({ parsed }) =>
    isClause(parsed) && isValuesOf(parsed, field) ? parsed.values : [],
  )

/** Takes a value of a field in, as one of several, or out again. */
export function toggleValue(text: string, field: string, value: string): string {
  const parts = readParts(text)
  const index = parts.findIndex(({ parsed }) => isClause(parsed) && isValuesOf(parsed, field))
  const parsed = parts[index]?.parsed
  if (parsed === undefined || !isClause(parsed) || !isValuesOf(parsed, field))
    return withClause(text, { type: 'values', field, values: [value], isNot: false })
  const isIn = parsed.values.includes(value)
  // A flag is true or false: the other value takes the place of the first.
  const others = statedField(field)?.type === 'flag' ? [] : parsed.values
  const values = isIn ? parsed.values.filter((other) => other !== value) : [...others, value]
  return values.length === 0
    ? withoutPart(text, index)
    : withPart(text, index, writeClause({ ...parsed, values }))
}
