/** Matches rows of a dataset with a search text. */
import type { DatasetColumn, DatasetRow, RowSelection } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'

interface Selection extends Omit<RowSelection, 'matches'> {
  readonly q?: string | undefined
}

/** Converts a request's selection to that of the store. */
export const toRowSelection = (
  { q, ...selection }: Selection,
  columns: readonly DatasetColumn[],
): RowSelection => (q === undefined ? selection : { ...selection, matches: rowMatcher(q, columns) })

/** Matches a row if the text occurs in it, case-insensitively: in what a user sees of it, or in a string within its JSON. */
function rowMatcher(
  q: string,
  columns: readonly Pick<DatasetColumn, 'name'>[],
): (row: DatasetRow) => boolean {
  const text = q.toLowerCase()
  const escapedText = JSON.stringify(text).slice(1, -1)
  const hasText = (value: string): boolean => value.toLowerCase().includes(text)
  /** Cheap check before JSON text is parsed. */
  const mayHaveText = (json: string): boolean => {
    const lowerCase = json.toLowerCase()
    return lowerCase.includes(text) || lowerCase.includes(escapedText) || lowerCase.includes('\\u')
  }
  const isInJson = (value: unknown): boolean =>
    typeof value === 'string' ? hasText(value) : hasText(JSON.stringify(value)) || hasTextWithin(value)
  const hasTextWithin = (value: unknown): boolean => {
    if (typeof value === 'string') return hasText(value)
    if (typeof value !== 'object' || value === null) return false
    return Object.entries(value).some(([name, entry]) => hasText(name) || hasTextWithin(entry))
  }
  return ({ values, name, idealOutput, metadata, split, labels }) => {
    if ([name, idealOutput, split, ...labels].some((part) => part !== undefined && hasText(part))) return true
    if (metadata !== undefined && mayHaveText(metadata) && isInJson(parseJsonText(metadata))) return true
    if (!mayHaveText(values)) return false
    // Safe: the values of a row were an object when they were stored.
    const byColumn = parseJsonText(values) as Record<string, unknown>
    return columns.some((column) => Object.hasOwn(byColumn, column.name) && isInJson(byColumn[column.name]))
  }
}
