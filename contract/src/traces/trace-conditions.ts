/** How traces are queried by their fields: conditions, the equivalent query parameters, and facets. */
import {
  fieldEntries,
  type TraceField,
  type TraceFieldName,
  type TraceFields,
  traceFields,
} from './trace-fields.ts'

/** Prefixes of fields whose second part the caller chooses: a metadata key, the name of a score. */
export const metadataPrefix = 'metadata.'
export const scorePrefix = 'score.'

/** Fields that conditions support, besides `score`, `score.NAME` and `metadata.KEY`. */
export const conditionFields: readonly TraceFieldName[] = fieldEntries.flatMap(([name, { hint }]) =>
  hint === undefined ? [] : [name],
)

/** A condition on one field. */
export interface TraceCondition {
  /** One of `conditionFields`, `metadata.KEY`, `score`, `score.NAME`. */
  readonly field: string
  /** One of these values. */
  readonly is?: readonly string[]
  /** None of these values; an absent value matches. */
  readonly not?: readonly string[]
  /** Inclusive. */
  readonly min?: number
  /** Inclusive. */
  readonly max?: number
  readonly exists?: boolean
  /** One of these is the id, or part of the name, ignoring case. */
  readonly named?: readonly string[]
}

export type ConditionOperator = Exclude<keyof TraceCondition, 'field'>

/** The operators that conditions support, by type of field. */
const operatorsOfType: Readonly<Record<TraceField['type'], readonly ConditionOperator[]>> = {
  text: ['is', 'not', 'exists'],
  list: ['is', 'not', 'exists'],
  json: ['is', 'not', 'exists'],
  number: ['min', 'max', 'exists'],
  instant: ['min', 'max', 'exists'],
  flag: ['is', 'not'],
}

/** The operators of a condition on this field; undefined if there is no such field. */
export function operatorsOf(name: string): readonly ConditionOperator[] | undefined {
  if (name === 'score' || isNamed(name, scorePrefix)) return ['is', 'not', 'min', 'max', 'exists']
  if (isNamed(name, metadataPrefix)) return operatorsOfType.text
  const existing = conditionFields.find((field) => field === name)
  if (existing === undefined) return undefined
  const { type, nameColumn }: TraceField = traceFields[existing]
  return nameColumn === undefined ? operatorsOfType[type] : [...operatorsOfType[type], 'named']
}

const isNamed = (name: string, prefix: string): boolean =>
  name.startsWith(prefix) && name.length > prefix.length

/** The field and the operator of each query parameter. */
export const filterParameters: ReadonlyMap<
  string,
  { readonly field: TraceFieldName; readonly operator: 'is' | 'min' | 'max' }
> = new Map(
  fieldEntries.flatMap(([field, { parameter, minimum, maximum }]) =>
    (
      [
        ['is', parameter],
        ['min', minimum],
        ['max', maximum],
      ] as const
    ).flatMap(([operator, queryParameter]) =>
      queryParameter === undefined ? [] : [[queryParameter.name, { field, operator }] as const],
    ),
  ),
)

/** The values of the fields' query parameters, by name. */
export type FilterParameters = {
  [Name in TraceFieldName as TraceFields[Name] extends { parameter: { name: infer Parameter extends string } }
    ? Parameter
    : never]: TraceFields[Name] extends { type: 'flag' }
    ? boolean
    : TraceFields[Name] extends { values: readonly (infer Value)[] }
      ? Value
      : string
} & {
  [Name in TraceFieldName as TraceFields[Name] extends { minimum: { name: infer Parameter extends string } }
    ? Parameter
    : never]: number
} & {
  [Name in TraceFieldName as TraceFields[Name] extends { maximum: { name: infer Parameter extends string } }
    ? Parameter
    : never]: number
}

/** Fields whose values can be counted, besides `score`, `metadata` and `metadata.KEY`. */
export const facetFields: readonly TraceFieldName[] = fieldEntries.flatMap(([name, { facet }]) =>
  facet === undefined ? [] : [name],
)

/** The facets that a list shows beside it. */
export const defaultFacets: readonly string[] = [
  ...fieldEntries.flatMap(([name, { facet }]) => (facet === 'default' ? [name] : [])),
  'score',
  'metadata',
]
