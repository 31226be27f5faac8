/**
 * Column schemas: the part of JSON Schema that describes the contents of one cell. References and patterns are excluded on
 * purpose: without them the time of a check is proportional to the schema and the value, so that no workspace's schema can
 * block the requests of others.
 */
import { isDeepStrictEqual } from 'node:util'

type Schema = Readonly<Record<string, unknown>>

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isType = (value: unknown): boolean => types.some((type) => type === value)
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')
const isSchema = (value: unknown): value is Schema | boolean => isObject(value) || isBoolean(value)

/** Each keyword, with the check of its own value. */
const keywords: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, form: string]>> = {
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `must be one or more of ${types.join(', ')}`,
  ],
  enum: [(value) => Array.isArray(value) && value.length > 0, 'must be a list of values'],
  const: [() => true, ''],
  minLength: [isCount, 'must be a whole number'],
  maxLength: [isCount, 'must be a whole number'],
  minimum: [isNumber, 'must be a number'],
  maximum: [isNumber, 'must be a number'],
  exclusiveMinimum: [isNumber, 'must be a number'],
  exclusiveMaximum: [isNumber, 'must be a number'],
  items: [isSchema, 'must be a schema'],
  minItems: [isCount, 'must be a whole number'],
  maxItems: [isCount, 'must be a whole number'],
  properties: [
    (value) => isObject(value) && Object.values(value).every(isSchema),
    'must have a schema for each property',
  ],
  required: [isTexts, 'must be a list of names'],
  additionalProperties: [isSchema, 'must be a schema'],
  anyOf: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
    'must be a list of schemas',
  ],
  allOf: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
    'must be a list of schemas',
  ],
}

/** Informative for users; these check nothing. */
const annotations = new Set(['$schema', '$comment', 'title', 'description', 'default', 'examples', 'format'])

const schemaLengthMax = 10_000
/** Each alternative is another check of the same value, and a cell may have millions of values. */
const alternativesMax = 50

/** The problem with a schema, as the rest of a sentence that starts with its field; undefined if it is valid. */
export function findSchemaProblem(schema: unknown): string | undefined {
  if (JSON.stringify(schema).length > schemaLengthMax)
    return `must not have over ${schemaLengthMax} characters`
  const problem = problemOfPart(schema, '')
  if (problem !== undefined) return problem
  return countAlternatives(schema) > alternativesMax
    ? `must not have over ${alternativesMax} schemas in anyOf and allOf`
    : undefined
}

function countAlternatives(schema: unknown): number {
  if (!isObject(schema)) return 0
  const { anyOf, allOf } = schema
  const own = [anyOf, allOf].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
  return partsOf(schema).reduce((sum, [, part]) => sum + countAlternatives(part), own)
}

function problemOfPart(schema: unknown, path: string): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return `must be a JSON schema${where(path)}`
  for (const [name, value] of Object.entries(schema)) {
    if (annotations.has(name)) continue
    const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined
    if (keyword === undefined)
      return `has the keyword "${name}"${where(path)}, which columns do not support; they support ${Object.keys(keywords).join(', ')}`
    const [isValid, form] = keyword
    if (!isValid(value)) return `has the keyword "${name}"${where(path)}, which ${form}`
  }
  for (const [name, part] of partsOf(schema)) {
    const problem = problemOfPart(part, `${path}/${name}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

const where = (path: string): string => (path === '' ? '' : ` at ${path}`)

function partsOf({ items, properties, additionalProperties, anyOf, allOf }: Schema): [string, unknown][] {
  return [
    ...(items === undefined ? [] : [['items', items] as [string, unknown]]),
    ...(additionalProperties === undefined
      ? []
      : [['additionalProperties', additionalProperties] as [string, unknown]]),
    ...(isObject(properties) ? Object.entries(properties) : []),
    ...(Array.isArray(anyOf) ? Object.entries(anyOf) : []),
    ...(Array.isArray(allOf) ? Object.entries(allOf) : []),
  ]
}

/** The problem with a value, such as `must be a string` or `.steps[0] must be an integer`; undefined if it is valid. */
export function findValueProblem(schema: unknown, value: unknown): string | undefined {
  const problem = problemAt(schema, value, '')
  return problem && `${problem.path === '' ? '' : `${problem.path} `}${problem.text}`
}

interface Problem {
  readonly path: string
  readonly text: string
}

function problemAt(schema: unknown, value: unknown, path: string): Problem | undefined {
  if (schema === false) return { path, text: 'must be absent' }
  if (!isObject(schema)) return undefined
  const text = problemOfValue(schema, value)
  if (text !== undefined) return { path, text }
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const problem = problemAt(part, value, path)
    if (problem !== undefined) return problem
  }
  if (Array.isArray(schema.anyOf)) {
    const problems = schema.anyOf.map((part) => problemAt(part, value, path))
    if (problems.every((problem) => problem !== undefined)) return problems[0]
  }
  if (Array.isArray(value)) return problemOfItems(schema, value, path)
  return isObject(value) ? problemOfProperties(schema, value, path) : undefined
}

/** Checks the keywords that apply to the value itself, without its parts. */
function problemOfValue(schema: Schema, value: unknown): string | undefined {
  const { type, enum: choices } = schema
  const expectedTypes = type === undefined ? [] : [type].flat()
  if (expectedTypes.length > 0 && !expectedTypes.some((name) => hasType(value, name)))
    return `must be ${expectedTypes.map((name) => articles[String(name)] ?? String(name)).join(' or ')}`
  if (Array.isArray(choices) && !hasValue(choices, value))
    return `must be ${choices.length === 1 ? '' : 'one of '}${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  if ('const' in schema && !hasValue([schema.const], value)) return `must be ${JSON.stringify(schema.const)}`
  if (typeof value === 'string') return problemOfLength(schema, value)
  return typeof value === 'number' ? problemOfNumber(schema, value) : undefined
}

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

function hasType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

/** A large value is not compared with each choice: that would list its keys again and again. */
function hasValue(choices: readonly unknown[], value: unknown): boolean {
  const size = sizeOf(value)
  return choices.some((choice) => sizeOf(choice) === size && isDeepStrictEqual(choice, value))
}

const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0

/** Code points are counted only if UTF-16 units do not decide: a code point has one or two units. */
function problemOfLength({ minLength, maxLength }: Schema, text: string): string | undefined {
  const isShorter = (limit: number): boolean =>
    text.length < limit || (text.length < 2 * limit && charactersIn(text) < limit)
  if (typeof minLength === 'number' && isShorter(minLength))
    return `must have at least ${minLength} characters`
  if (typeof maxLength === 'number' && !isShorter(maxLength + 1))
    return `must have at most ${maxLength} characters`
  return undefined
}

const charactersIn = (text: string): number => {
  let count = 0
  for (const _character of text) count++
  return count
}

function problemOfNumber(schema: Schema, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (typeof minimum === 'number' && value < minimum) return `must be at least ${minimum}`
  if (typeof maximum === 'number' && value > maximum) return `must be at most ${maximum}`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return `must be greater than ${exclusiveMinimum}`
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return `must be less than ${exclusiveMaximum}`
  return undefined
}

function problemOfItems(schema: Schema, items: readonly unknown[], path: string): Problem | undefined {
  const { minItems, maxItems } = schema
  if (typeof minItems === 'number' && items.length < minItems)
    return { path, text: `must have at least ${minItems} items` }
  if (typeof maxItems === 'number' && items.length > maxItems)
    return { path, text: `must have at most ${maxItems} items` }
  if (schema.items === undefined) return undefined
  for (const [index, item] of items.entries()) {
    const problem = problemAt(schema.items, item, `${path}[${index}]`)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfProperties(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Problem | undefined {
  const { required = [], additionalProperties = true } = schema
  // Safe: the schema was checked when it was stored.
  const missing = (required as string[]).find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return { path: `${path}.${missing}`, text: 'is required' }
  const properties = isObject(schema.properties) ? schema.properties : {}
  for (const [name, part] of Object.entries(value)) {
    const partSchema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    const problem = problemAt(partSchema, part, `${path}.${name}`)
    if (problem !== undefined) return problem
  }
  return undefined
}
