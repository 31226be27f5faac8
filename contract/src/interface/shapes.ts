/** Shapes that several resources share. A schema made by `NamedObject` becomes a component of the OpenAPI document. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'

/** The keyword that gives a schema its name in the OpenAPI document. */
export const schemaName = 'x-schema'

/** An object schema with a name of its own in the OpenAPI document. */
export const NamedObject = <const Fields extends TProperties>(
  name: string,
  description: string,
  fields: Fields,
): TObject<Fields> => Type.Object(fields, { [schemaName]: name, description })

/**
 * The same schema, or null. Where the schema has no name of its own, null joins its `type`, which validates
 * faster and reads better than a union.
 */
export const Nullable = <const Schema extends TSchema>(schema: Schema) => {
  const node: { type?: unknown; [schemaName]?: unknown } = schema
  return Type.Unsafe<Static<Schema> | null>(
    typeof node.type === 'string' && node[schemaName] === undefined
      ? { ...schema, type: [node.type, 'null'] }
      : { anyOf: [schema, { type: 'null' }] },
  )
}

/** Optional, where `null` means the same as absent. */
export const Absentable = <const Schema extends TSchema>(schema: Schema) => Type.Optional(Nullable(schema))

/** A JSON object whose keys are the caller's. */
export const FreeObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

/** Any JSON value. */
export const AnyJson = (description: string) => Type.Unsafe<unknown>({ description })

/** A string, an object, an array or null: the forms of inputs and outputs. */
export type TextOrJson = string | Record<string, unknown> | unknown[] | null
export const TextOrJson = (description: string) =>
  Type.Optional(Type.Unsafe<TextOrJson>({ type: ['string', 'object', 'array', 'null'], description }))

export const slugPattern = '^[a-z0-9][a-z0-9._-]{0,127}$'

/** An identifier for URLs: `[a-z0-9]`, then `[a-z0-9._-]`, at most 128 characters. */
export const Slug = (description: string) => Type.String({ pattern: slugPattern, description })

/** The latest instant that has a four-digit year, as nanoseconds of the Unix epoch, exclusive. */
const nanosecondsMax = 253_402_300_800e9

/**
 * An instant: ISO 8601, or a Unix time whose magnitude determines the unit (below 1e11 seconds, below
 * 1e14 milliseconds, below 1e17 microseconds, else nanoseconds). Code that reads a text checks that the
 * date exists.
 */
export type Timestamp = string | number
export const Timestamp = (description: string) =>
  Type.Unsafe<Timestamp>({
    type: ['string', 'number'],
    format: 'date-time',
    exclusiveMinimum: 0,
    exclusiveMaximum: nanosecondsMax,
    description: `${description} ISO 8601 (UTC without an offset), or a Unix time in seconds, milliseconds, microseconds or nanoseconds, by its magnitude.`,
  })

export const OptionalTimestamp = (description: string) =>
  Type.Optional(
    Type.Unsafe<Timestamp | null>({
      type: ['string', 'number', 'null'],
      format: 'date-time',
      exclusiveMinimum: 0,
      exclusiveMaximum: nanosecondsMax,
      description: `${description} ISO 8601 (UTC without an offset), or a Unix time in seconds, milliseconds, microseconds or nanoseconds, by its magnitude.`,
    }),
  )

/** An instant in a query: the same text forms, and numbers as text. */
export const QueryInstant = (description: string) =>
  Type.Optional(Type.Unsafe<Timestamp>({ type: 'string', description }))

/** A time zone in a query. Code that reads it checks that the zone exists. */
export const QueryTimeZone = (description: string) => Type.Optional(Type.String({ description }))

/** An instant in a response: ISO 8601, UTC. */
export const Instant = (description: string) => Type.String({ format: 'date-time', description })

export const Organization = NamedObject('Organization', 'The organization of the end user.', {
  id: Type.String({ description: 'Identifier of the organization in your application.' }),
  name: Type.String({ description: 'Name of the organization.' }),
})
export type Organization = Static<typeof Organization>

export const User = NamedObject('User', 'The end user.', {
  id: Type.String({ description: 'Identifier of the user in your application.' }),
  name: Type.String({ description: 'Name of the user.' }),
})
export type User = Static<typeof User>

export const EvaluatorReference = NamedObject(
  'EvaluatorReference',
  'A reference to an evaluator by its slug.',
  {
    slug: Type.String({ description: 'Slug of an evaluator.' }),
  },
)
export type EvaluatorReference = Static<typeof EvaluatorReference>

export const ExperimentReference = NamedObject('ExperimentReference', 'The experiment to add the trace to.', {
  id: Type.String({ description: 'Id of an existing experiment.' }),
})

export const Variable = NamedObject('Variable', 'A variable of a prompt and its value.', {
  label: Type.String({ description: 'Name of the variable in the template.' }),
  value: Type.Optional(
    AnyJson('Value of the variable: a string or null; other JSON values are accepted too.'),
  ),
})
export type Variable = Static<typeof Variable>

export const PromptReference = NamedObject('PromptReference', 'A prompt and one of its versions.', {
  slug: Type.String({ description: 'Slug of the prompt.' }),
  version: Absentable(
    Type.String({ description: 'A version; it takes precedence over `tag`. "" counts as absent.' }),
  ),
  tag: Absentable(
    Type.String({ description: 'A tag; `production` if neither is given. "" counts as absent.' }),
  ),
})
export type PromptReference = Static<typeof PromptReference>

export const Warning = Type.Optional(
  Type.String({
    description: 'What the service did differently from the request, in sentences. The request succeeded.',
  }),
)

/** Page size of a list; each list has its own default. */
export const Limit = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description }))

export const Cursor = Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' }))

export const NextCursor = Type.Optional(
  Type.String({ description: 'Cursor of the next page; absent on the last page.' }),
)
