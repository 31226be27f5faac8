/** Changes a filter by clicks; the text remains its source. Pure. */
import { statedField } from './filter-fields.ts'
import { type Clause, hasValues, isClause, readParts, writeClause } from './filter-text.ts'

const join = (texts: readonly string[]): string => texts.join(' ')

/** The text without one of its parts. */
export const withoutPart = (text: string, index: number): string =>
  join(readParts(text).flatMap((part, partIndex) => (partIndex === index ? [] : [part.text])))

/** The text with one of its parts replaced. */
export const withPart = (text: string, index: number, replacement: string): string =>
  join(readParts(text).map((part, partIndex) => (partIndex === index ? replacement : part.text)))

/** The text with a clause added, unless it already has it. */
export function withClause(text: string, clause: Clause): string {
  const clauseText = writeClause(clause)
  const parts = readParts(text).map((part) => part.text)
  return parts.includes(clauseText) ? text.trim() : join([...parts, clauseText])
}

const isValuesOf = (clause: Clause, field: string, isNot = false): clause is Clause & { type: 'values' } =>
  clause.type === 'values' && clause.field === field && clause.isNot === isNot

/** The included values of a field, or with `isNot` the excluded ones. */
export const valuesOf = (text: string, field: string, isNot = false): readonly string[] =>
  readParts(text).flatMap(({ result }) =>
    isClause(result) && isValuesOf(result, field, isNot) ? result.values : [],
  )

/** Toggles an included value of a field, or with `isNot` an excluded one. */
export function toggleValue(text: string, field: string, value: string, isNot = false): string {
  const parts = readParts(text)
  const index = parts.findIndex(({ result }) => isClause(result) && isValuesOf(result, field, isNot))
  const parsed = parts[index]?.result
  const clause: Clause & { type: 'values' } = isNot
    ? { type: 'values', field, values: [value], isNot }
    : hasValues(field, [value])
  if (parsed === undefined || !isClause(parsed) || !isValuesOf(parsed, field, isNot))
    return withClause(text, clause)
  const isIn = parsed.values.includes(value)
  // A flag is either true or false, and ids do not mix with names: the value replaces the current ones.
  const isReplaced = statedField(field)?.type === 'flag' || parsed.isId !== clause.isId
  const values = isIn
    ? parsed.values.filter((other) => other !== value)
    : [...(isReplaced ? [] : parsed.values), value]
  if (values.length === 0) return withoutPart(text, index)
  return withPart(text, index, writeClause({ ...(isIn ? parsed : clause), values }))
}

/** The lower and the upper bound of a field. */
export interface Bounds {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

const isBoundOf = (clause: Clause, field: string): clause is Clause & { type: 'bound' } =>
  clause.type === 'bound' && clause.field === field

/** The bounds of a field in a filter. */
export function boundsOf(text: string, field: string): Bounds {
  const bounds = readParts(text).flatMap(({ result }) =>
    isClause(result) && isBoundOf(result, field) ? [result] : [],
  )
  return {
    min: bounds.find(({ operator }) => operator !== '<' && operator !== '<=')?.value,
    max: bounds.find(({ operator }) => operator !== '>' && operator !== '>=')?.value,
  }
}

/** The text with these bounds of a field replacing the current ones; an equal bound keeps its form, such as `>0`. */
export function withBounds(text: string, field: string, { min, max }: Bounds): string {
  const before = boundsOf(text, field)
  const [isSameMin, isSameMax] = [min === before.min, max === before.max]
  const stays = ({ operator }: Clause & { type: 'bound' }): boolean =>
    (isSameMin || operator.startsWith('<')) && (isSameMax || operator.startsWith('>'))
  const others = readParts(text).flatMap(({ result, text }) =>
    isClause(result) && isBoundOf(result, field) && !stays(result) ? [] : [text],
  )
  const left = boundsOf(join(others), field)
  const clauses: Clause[] = []
  if (min !== undefined && left.min !== min)
    clauses.push({ type: 'bound', field, operator: '>=', value: min })
  if (max !== undefined && left.max !== max)
    clauses.push({ type: 'bound', field, operator: '<=', value: max })
  return join([...others, ...clauses.map(writeClause)])
}
