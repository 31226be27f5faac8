/** Checks the input of an operation against its schema, with the service's wording. Loaded with the first check. */
import { type OutputUnit, Validator } from '@cfworker/json-schema'

export type InputSchema = Readonly<Record<string, unknown>>

/** The problem of one value: the end of a sentence that starts with the field. */
export interface InputProblem {
  /** As the service writes it: `columns[0].name`; empty for the input as a whole. */
  readonly path: string
  readonly problem: string
}

/** The problems of an input, the first of each value. */
export function checkInput(schema: InputSchema, input: unknown): readonly InputProblem[] {
  // As serialized: `undefined` is absent. NaN, from a number field with other text, must not pass for null.
  const json: unknown = JSON.parse(
    JSON.stringify(input, (_key, value: unknown) => (Number.isNaN(value) ? 'NaN' : value)),
  )
  const { errors } = new Validator(schema, '2020-12', false).validate(json)
  const problems = errors
    .filter((error) => !wrappers.has(error.keyword) && !isOfOtherType(error, errors, schema))
    .map((error) => ({ path: pathOf(error), problem: problemOf(error, schema) }))
  // If a value matches none of several shapes, the deepest problem belongs to the intended shape.
  const deepest = problems.filter(({ path }) => !problems.some((other) => isInside(other.path, path)))
  return [
    ...new Map(deepest.toReversed().map(({ path, problem }) => [path.join('/'), { path, problem }])).values(),
  ]
    .toReversed()
    .map(({ path, problem }) => ({ path: writtenPath(path), problem }))
}

/** These keywords only report that something inside them failed, which has an error of its own. */
const wrappers: ReadonlySet<string> = new Set([
  ...['properties', 'items', 'prefixItems', 'additionalProperties'],
  ...['anyOf', 'oneOf', 'allOf', 'if', 'then', 'else', '$ref'],
])

/** Whether it comes from a union member with a `type` other than the value's, which matches another member. */
function isOfOtherType(error: OutputUnit, errors: readonly OutputUnit[], schema: InputSchema): boolean {
  const [, branch, union] = /^((.*\/(?:anyOf|oneOf))\/\d+)\//.exec(error.keywordLocation) ?? []
  if (branch === undefined || union === undefined) return false
  const mismatches = errors.filter(
    ({ keyword, keywordLocation, instanceLocation }) =>
      keyword === 'enum' &&
      keywordLocation.startsWith(`${union}/`) &&
      keywordLocation.endsWith('/properties/type/enum') &&
      error.instanceLocation.startsWith(instanceLocation.replace(/\/type$/, '')),
  )
  const { limit } = keywordAt(schema, union)
  return (
    mismatches.length < (limit as readonly unknown[]).length &&
    mismatches.some(({ keywordLocation }) => keywordLocation.startsWith(`${branch}/`))
  )
}

const isInside = (inner: readonly string[], outer: readonly string[]): boolean =>
  inner.length > outer.length && outer.every((part, index) => inner[index] === part)

/** A JSON pointer of a fragment, `#/columns/0`, as its parts. */
const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))

function pathOf({ keyword, instanceLocation, error }: OutputUnit): string[] {
  const path = partsOf(instanceLocation)
  const missing = keyword === 'required' ? /"(.+)"/.exec(error)?.[1] : undefined
  return missing === undefined ? path : [...path, missing]
}

const writtenPath = (path: readonly string[]): string =>
  path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')

/** The value of the failed keyword, and the schema that contains it. */
function keywordAt(schema: unknown, keywordLocation: string): { limit: unknown; parentSchema: InputSchema } {
  const parts = partsOf(keywordLocation)
  const keyword = parts.pop() ?? ''
  // Safe: the location leads through this schema.
  const parentSchema = parts.reduce((node, part) => (node as InputSchema)[part], schema) as InputSchema
  return { limit: parentSchema[keyword], parentSchema }
}

function problemOf({ keyword, keywordLocation }: OutputUnit, schema: InputSchema): string {
  const { limit, parentSchema } = keywordAt(schema, keywordLocation)
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return typeProblem([limit].flat().map(String))
    case 'enum':
      return `must be one of ${(limit as unknown[]).join(', ')}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be greater than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return 'must not be empty'
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'maxItems':
      return `must have at most ${limit} items`
    case 'uniqueItems':
      return 'must not contain duplicates'
    case 'pattern':
      return typeof parentSchema.problem === 'string' ? parentSchema.problem : 'is not allowed here'
    default:
      return 'is not allowed here'
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'yes or no',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'text',
}

/** An empty field may mean null, so null is not suggested. */
const typeProblem = (types: readonly string[]): string =>
  `must be ${types
    .filter((type) => type !== 'null')
    .map((type) => typeNames[type] ?? type)
    .join(' or ')}`
