/** The groupings of charts: the dimensions of metrics, with the filter field of each. Pure. */
import { fieldEntries } from '@plumbline/sdk/trace-fields'
import { typedName } from '../../traces/filter/filter-fields.ts'
import { type Clause, hasValues } from '../../traces/filter/filter-text.ts'

const ofFields = fieldEntries.flatMap(([name, { label, dimension }]) =>
  dimension === undefined ? [] : [{ value: dimension, label, field: name }],
)

export const dimensionChoices: readonly { readonly value: string; readonly label: string }[] = [
  ...ofFields.map(({ value, label }) => ({ value, label })),
  { value: 'scoreName', label: 'Score' },
  { value: 'evaluatorVersion', label: 'Evaluator version' },
]

/** The trace field of a dimension; undefined for dimensions of scores. */
export const fieldOfDimension = (dimension: string): string | undefined =>
  dimension.startsWith('metadata.') ? dimension : ofFields.find(({ value }) => value === dimension)?.field

/** The traces of one value of a dimension. */
export function clauseOfValue(dimension: string, value: string | null): Clause | undefined {
  const field = fieldOfDimension(dimension)
  if (field === undefined)
    return dimension === 'scoreName' && value !== null
      ? { type: 'presence', field: `score.${value}`, isThere: true }
      : undefined
  const name = typedName(field)
  return value === null ? { type: 'presence', field: name, isThere: false } : hasValues(name, [value])
}

export const labelOfValue = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? 'none' : String(value)
