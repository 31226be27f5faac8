/** The query parameters that select traces. */
import { type TOptional, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'
import { QueryInstant } from '../interface/shapes.ts'
import {
  type ConditionOperator,
  conditionFields,
  type FilterParameters,
  metadataPrefix,
  operatorsOf,
} from './trace-conditions.ts'
import { fieldEntries, type TraceField } from './trace-fields.ts'

const Text = (description: string) => Type.Optional(Type.String({ description }))

type ParameterSchemas = {
  [Name in keyof FilterParameters]: TOptional<TUnsafe<FilterParameters[Name]>>
}

/** The query parameters of fields. */
function parameterSchemas(): ParameterSchemas {
  const schemas = fieldEntries.flatMap(([, { type, values, parameter, minimum, maximum }]) => [
    ...[minimum, maximum].flatMap((parameter) =>
      parameter === undefined
        ? []
        : [[parameter.name, Type.Number({ description: parameter.description })] as const],
    ),
    ...(parameter === undefined ? [] : [[parameter.name, schemaOf(type, values, parameter)] as const]),
  ])
  // Safe: `FilterParameters` has the types that these schemas check.
  return Object.fromEntries(
    schemas.map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as ParameterSchemas
}

function schemaOf(
  type: TraceField['type'],
  values: TraceField['values'],
  { description }: { readonly description: string },
): TSchema {
  if (type === 'flag') return Type.Boolean({ description })
  return values === undefined ? Type.String({ description }) : Type.Enum([...values], { description })
}

const conditionFieldsWith = (operator: ConditionOperator, exclusion?: ConditionOperator): string =>
  conditionFields
    .filter((name) => {
      const operators = operatorsOf(name) ?? []
      return operators.includes(operator) && (exclusion === undefined || !operators.includes(exclusion))
    })
    .join(', ')

export const traceFilters = {
  ...parameterSchemas(),
  where: Text(
    `A JSON array of further conditions, such as [{"field":"model","not":["gpt-4o"]},{"field":"score.accuracy","max":0.5}]. Each has a field and one or more of is, not (lists of strings), min, max (numbers, inclusive) and exists, depending on the field. Fields with is, not and exists: ${conditionFieldsWith('exists', 'min')}, metadata.KEY; \`trace\` is the trace id, and \`evaluator\` an evaluator that the trace or one of its logs refers to. With is and not, \`true\` or \`false\`: ${conditionFieldsWith('is', 'exists')}. With \`named\`, a list of ids or parts of names, ignoring case: ${conditionFieldsWith('named')}. With min, max and exists: ${conditionFieldsWith('min')}. With all of them: score, score.NAME.`,
  ),
  receivedFrom: QueryInstant('Traces that arrived at this instant or later.'),
  from: QueryInstant('Traces that start at this instant or later.'),
  to: QueryInstant('Traces that start before this instant.'),
}

/** `metadata.KEY=VALUE`: KEY is taken literally, dots included. */
export const metadataFilterPrefix = metadataPrefix

/** The names of these filters, as a pattern and as text. */
export const metadataFilterPattern = '^metadata\\..'
export const metadataFilterName = `${metadataFilterPrefix}KEY`

export const metadataFilters = {
  patternProperties: {
    [metadataFilterPattern]: {
      type: 'string',
      description: 'Traces whose metadata has this value, compared as text, under this key.',
    },
  },
}

export const q = Text(
  'Traces that contain all these words, in the trace, its logs, or the names of its user and organization. "quoted words" match as a phrase, refun* matches the beginning of a word, and *fund* matches anywhere; the last two read all texts, so set a time range. At most 200 words.',
)

/** Filters as a JSON object. Unknown names are rejected: without the intended filter, everything would match. */
export const FilterObject = <const Fields extends TProperties>(
  fields: Fields,
  options: { readonly description?: string } = {},
) => Type.Object(fields, { ...metadataFilters, additionalProperties: false, ...options })
