/** Validates input against the contract's schemas, and reports the problem in one sentence that names the field. */
import {
  inputTravelsInQuery,
  invalid,
  logTypes,
  metadataFilterName,
  metadataFilterPattern,
  nearestName,
  type Operation,
  otherPatternProblem,
  pathFields,
  patternProblems,
  schemaName,
} from '@plumbline/contract'
import { Ajv2020, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

/** The operation's input from the parts of a request; throws `invalid_request`. */
type Validator = (parts: { params: unknown; query: unknown; body: unknown }) => unknown

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly patternProperties?: Readonly<Record<string, unknown>>
}

/** How much of an unknown name is shown. */
const shownLength = 200

const options = {
  discriminator: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
}

/**
 * One instance for JSON bodies, one for URLs, whose values are strings that represent numbers and booleans. For URLs, strict
 * numbers would remove the bounds from a string such as `1e400`, which becomes infinity; bodies are checked for infinity
 * already.
 */
const makeAjv = (coerceTypes: boolean): Ajv2020 =>
  new Ajv2020({ ...options, coerceTypes, strictNumbers: !coerceTypes })
    .addVocabulary([schemaName])
    .addFormat('date-time', true)
    .addFormat('uuid', true)

const ajvOfBodies = makeAjv(false)
const ajvOfAddresses = makeAjv(true)

/** Compiles a check on first use: compiling all of them would take a quarter of the startup time. */
function compileLater(ajv: Ajv2020, schema: object): () => ValidateFunction {
  let check: ValidateFunction | undefined
  return () => (check ??= ajv.compile(schema))
}

/** Makes the validator of one operation's input. */
export function makeValidator(operation: Operation): Validator {
  const inPath = pathFields(operation.path)
  const checkNames = operation.ignoresUnknownQuery === true ? () => {} : makeNameCheck(operation)
  if (inputTravelsInQuery(operation.method)) {
    const checkOf = compileLater(ajvOfAddresses, operation.input)
    return ({ params, query }) => {
      checkNames(query)
      const input: Record<string, unknown> = Object.assign({}, query, params)
      refuseOtherBases(input, operation.input.properties)
      const check = checkOf()
      if (!check(input)) throw refusal(check)
      refuseInfinity(input)
      return input
    }
  }
  const checkOf = compileLater(ajvOfBodies, omitFields(operation.input, inPath))
  const absent = Object.keys(operation.input.properties).length === inPath.length ? {} : undefined
  return ({ params, query, body = absent }) => {
    checkNames(query)
    const check = checkOf()
    if (!check(body)) throw refusal(check)
    return inPath.length === 0 ? body : Object.assign({}, body, params)
  }
}

/** Refuses unknown query parameters: without a filter whose name is misspelled, an operation would return everything. */
function makeNameCheck({ input, method, path }: Operation): (query: unknown) => void {
  const schema: ObjectSchema = inputTravelsInQuery(method) ? omitFields(input, pathFields(path)) : {}
  const { properties = {}, patternProperties = {} } = schema
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'))
  return (query) => {
    const unknown = Object.keys(query ?? {}).find(
      (name) => !Object.hasOwn(properties, name) && !patterns.some((pattern) => pattern.test(name)),
    )
    if (unknown === undefined) return
    const names = namesOf(schema)
    throw invalid(
      unknown.slice(0, shownLength) || 'query',
      names.length === 0
        ? 'is unknown: there are no query parameters here'
        : unknownNameProblem(unknown, names),
    )
  }
}

/** Ajv accepts every string that JavaScript converts to a number, including `0x10`; numbers in URLs are decimal. */
function refuseOtherBases(
  input: Readonly<Record<string, unknown>>,
  properties: Operation['input']['properties'],
): void {
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== 'string' || !/^\s*0[xob]/i.test(value)) continue
    const { type } = (properties[name] ?? {}) as { type?: unknown }
    if (type === 'integer' || type === 'number') throw invalid(name, `must be ${withArticle(type)}`)
  }
}

/** A number without bounds may be a string too large for a number, or `Infinity`. */
function refuseInfinity(input: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(input))
    if (typeof value === 'number' && !Number.isFinite(value)) throw invalid(name, 'must be a finite number')
}

/** Validates a JSON object that is sent as text, such as the filters of a metrics query. */
export function makeObjectCheck<Value>(schema: object, path: string): (value: unknown) => Value {
  const checkOf = compileLater(ajvOfBodies, schema)
  return (value) => {
    const check = checkOf()
    if (!check(value)) throw refusal(check, path)
    // Safe: the schema that was just checked is the one that the caller's type was made from.
    return value as Value
  }
}

function omitFields(schema: Operation['input'], fields: readonly string[]): object {
  if (fields.length === 0) return schema
  const properties = Object.fromEntries(
    Object.entries(schema.properties).filter(([name]) => !fields.includes(name)),
  )
  const required = (schema.required as string[] | undefined)?.filter((name) => !fields.includes(name)) ?? []
  return { ...schema, properties, required }
}

function refusal({ errors, schema }: ValidateFunction, place?: string) {
  const { path, problem } = describeProblem(errors ?? [], schema)
  if (place === undefined) return invalid(path, problem)
  return invalid(path === '' || path.startsWith('[') ? place + path : `${place}.${path}`, problem)
}

/**
 * The error to report. If a value matches none of several schemas, that is the error deepest inside the value, since it
 * belongs to the schema that was meant.
 */
function describeProblem(
  errors: readonly ErrorObject[],
  schema: AnySchema,
): { path: string; problem: string } {
  const candidates = errors.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf')
  const paths = candidates.map(pathOf)
  const depth = paths.reduce((most, path) => Math.max(most, path.length), 0)
  const deepest = candidates.filter((_, index) => paths[index]?.length === depth)
  const [first] = deepest
  if (first === undefined) return { path: '', problem: 'is not valid for this operation' }
  const types = deepest
    .filter(({ keyword }) => keyword === 'type')
    .flatMap(({ params }) => params.type as string | string[])
  const problem =
    types.length > 0 ? `must be ${listText([...new Set(types)].map(withArticle))}` : problemOf(first, schema)
  return { path: pathText(pathOf(first)), problem }
}

function pathOf({ keyword, instancePath, params }: ErrorObject): string[] {
  const path = readPointer(instancePath)
  if (keyword === 'required') path.push(String(params.missingProperty))
  if (keyword === 'discriminator') path.push(String(params.tag))
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty).slice(0, shownLength))
  return path
}

/** The parts of a JSON pointer. */
const readPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

const pathText = (path: readonly string[]): string =>
  path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')

function problemOf({ keyword, params, schemaPath }: ErrorObject, schema: AnySchema): string {
  switch (keyword) {
    case 'additionalProperties':
      return unknownNameProblem(
        params.additionalProperty as string,
        namesOf(objectSchemaAt(schema, schemaPath)),
      )
    case 'required':
      return 'is required'
    case 'discriminator':
      return params.tagValue === undefined ? 'is required' : `must be one of ${logTypes.join(', ')}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be greater than ${params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return 'must not be empty'
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'uniqueItems':
      return 'must not contain duplicates'
    case 'pattern':
      return patternProblems[String(params.pattern)] ?? otherPatternProblem
    default:
      return 'is not allowed here'
  }
}

/** The schema object that contains the keyword at this path. */
const objectSchemaAt = (schema: AnySchema, keywordPath: string): ObjectSchema =>
  // Safe: the path leads through this schema, which contains no references.
  readPointer(keywordPath)
    .slice(0, -1)
    .reduce(
      (node, part) => (node as Readonly<Record<string, unknown>>)[part],
      schema as unknown,
    ) as ObjectSchema

/** The names that an object may have, as they are shown. */
const namesOf = ({ properties = {}, patternProperties = {} }: ObjectSchema): string[] => [
  ...Object.keys(properties),
  ...Object.keys(patternProperties).map((pattern) =>
    pattern === metadataFilterPattern ? metadataFilterName : pattern,
  ),
]

function unknownNameProblem(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  return nearest === undefined ? `is none of ${names.join(', ')}` : `is unknown; did you mean ${nearest}?`
}

const withArticle = (type: string): string =>
  type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`

const listText = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
