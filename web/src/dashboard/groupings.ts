/** The groupings of figures. Pure. */
import { fieldEntries } from '@plumbline/sdk/trace-fields'
import { type Clause, hasValues } from '../traces/filter/filter-text.ts'

export interface Grouping {
  readonly name: string
  readonly label: string
  readonly dimensions: readonly [string, ...string[]]
  /** The filter fields, one per dimension. */
  readonly fields: readonly [string, ...string[]]
}

interface RecordedGrouping extends Grouping {
  readonly isUnbounded: boolean
}

/** Trace fields. Those not counted by default in the trace list have too many values. */
const recorded: readonly RecordedGrouping[] = fieldEntries.flatMap(
  ([name, { label, recordedField, dimension, facet }]) =>
    recordedField === undefined || dimension === undefined
      ? []
      : [{ name, label, dimensions: [dimension], fields: [name], isUnbounded: facet !== 'default' }],
)

const feature: Grouping = { name: 'feature', label: 'Feature', dimensions: ['feature'], fields: ['feature'] }

export const groupings: readonly [Grouping, ...Grouping[]] = [
  feature,
  { name: 'model', label: 'Model', dimensions: ['model'], fields: ['model'] },
  {
    name: 'promptVersion',
    label: 'Prompt version',
    dimensions: ['promptSlug', 'promptVersion'],
    fields: ['prompt', 'promptVersion'],
  },
  { name: 'user', label: 'User', dimensions: ['user'], fields: ['user'] },
  { name: 'organization', label: 'Organization', dimensions: ['organization'], fields: ['organization'] },
  ...recorded,
]

/** There may be a million values, so only the most frequent are loaded. */
export const isUnbounded = ({ name }: Grouping): boolean =>
  name === 'user' ||
  name === 'organization' ||
  recorded.some((grouping) => grouping.name === name && grouping.isUnbounded)

export type Row = Readonly<Record<string, string | number | null>>

/** One key for the values of a row. */
export const keyOf = ({ dimensions }: Grouping, row: Row): string =>
  JSON.stringify(dimensions.map((name) => row[name] ?? null))

const valuesOf = (key: string): readonly (string | null)[] => JSON.parse(key) as (string | null)[]

export function labelOf(key: string): string {
  const values = valuesOf(key)
  if (values.every((value) => value === null)) return 'none'
  return values.map((value) => value ?? 'none').join(' ')
}

/** The filter clauses that select the traces of a key. */
export const clausesOf = ({ fields }: Grouping, key: string): readonly Clause[] =>
  valuesOf(key).map((value, index) => {
    const field = fields[index] ?? fields[0]
    return value === null ? { type: 'presence', field, isThere: false } : hasValues(field, [value])
  })
