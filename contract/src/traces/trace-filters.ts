/** The query parameters that choose traces. */
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
    `A JSON array of further conditions, such as [{"field":"model","not":["gpt-4o"]},{"field":"score.accuracy","max":0.5}]. Each has a field and any of is, not (lists of strings), min, max (numbers, inclusive) and exists, as the field supports. With is, not and exists: ${conditionFieldsWith('exists', 'min')}, metadata.KEY; \`trace\` is its id, and \`evaluator\` one that the trace or one of its logs refers to. With is and not, \`true\` or \`false\`: ${conditionFieldsWith('is', 'exists')}. With \`named\`, a list of ids or of parts of names in any case: ${conditionFieldsWith('named')}. With min, max and exists: ${conditionFieldsWith('min')}. With all of them: score, score.NAME.`,
  ),
  receivedFrom: QueryInstant('Traces that arrived at this instant or later.'),
  from: QueryInstant('Traces that start at this instant or later.'),
  to: QueryInstant('Traces that start before this instant.'),
}

/** `metadata.KEY=VALUE`: KEY is taken literally, dots included. */
export const metadataFilterPrefix = metadataPrefix

/** The names of these filters as a pattern, and in words. */
export const metadataFilterPattern = '^metadata\\..'
export const metadataFilterName = `${metadataFilterPrefix}KEY`

export const metadataFilters = {
  patternProperties: {
    [metadataFilterPattern]: {
      type: 'string',
      description: 'Traces whose metadata has this key with this value, as text.',
    },
  },
}

export const q = Text(
  'Traces in which, or in a log of which, or in the names of its user and organization, all these words occur. "quoted words" occur as a phrase, refun* begins a word, and *fund* occurs anywhere; the last two read all texts, so give them a range. At most 200 words.',
)

/** Filters as a JSON object. An unknown name is refused: without the filter that was meant, everything would match. */
export const FilterObject = <const Fields extends TProperties>(
  fields: Fields,
  options: { readonly description?: string } = {},
) => Type.Object(fields, { ...metadataFilters, additionalProperties: false, ...options })
