/** The filter of a live rule as text. Pure. */
import { filterInput } from '../../traces/filter/filter-input.ts'
import { clausesOfInput } from '../../traces/filter/filter-of-input.ts'
import { isClause, readFilter, readParts, writeFilter } from '../../traces/filter/filter-text.ts'
import type { LiveFilter } from './live-values.ts'

export const textOfFilter = ({ filters, text }: LiveFilter): string =>
  text ?? writeFilter(clausesOfInput(filters))

export function filterOfText(text: string): LiveFilter {
  const wrong = readParts(text).find(({ result }) => !isClause(result))
  const filters = { ...filterInput(readFilter(text)) }
  return wrong === undefined
    ? { filters, text }
    : { filters, text, problem: `has an invalid term: "${wrong.text}"` }
}
