/** Changes of a filter by clicks; the text stays what states it. Pure. */
import { type Clause, isClause, readParts, writeClause } from './filter-text.ts'

const joined = (texts: readonly string[]): string => texts.join(' ')

/** The text without one of its parts. */
export const withoutPart = (text: string, index: number): string =>
  joined(readParts(text).flatMap((part, at) => (at === index ? [] : [part.text])))

/** The text with one of its parts said otherwise. */
export const withPart = (text: string, index: number, stated: string): string =>
  joined(readParts(text).map((part, at) => (at === index ? stated : part.text)))

/** The text and a clause more, unless it says that already. */
export function withClause(text: string, clause: Clause): string {
  const stated = writeClause(clause)
  const known = readParts(text).map((part) => part.text)
  return known.includes(stated) ? text.trim() : joined([...known, stated])
}

const isValuesOf = (said: Clause, field: string): said is Clause & { type: 'values' } =>
  said.type === 'values' && said.field === field && !said.isNot

/** The values that a field is asked for. */
export const valuesOf = (text: string, field: string): readonly string[] =>
  readParts(text).flatMap(({ said }) => (isClause(said) && isValuesOf(said, field) ? said.values : []))

/** Takes a value of a field in, as one of several, or out again. */
export function toggleValue(text: string, field: string, value: string): string {
  const parts = readParts(text)
  const at = parts.findIndex(({ said }) => isClause(said) && isValuesOf(said, field))
  const said = parts[at]?.said
  if (said === undefined || !isClause(said) || !isValuesOf(said, field))
    return withClause(text, { type: 'values', field, values: [value], isNot: false })
  const isIn = said.values.includes(value)
  // A trace has an error or has none: the other value takes the place of the first.
  const others = field === 'hasError' ? [] : said.values
  const values = isIn ? said.values.filter((one) => one !== value) : [...others, value]
  return values.length === 0 ? withoutPart(text, at) : withPart(text, at, writeClause({ ...said, values }))
}
