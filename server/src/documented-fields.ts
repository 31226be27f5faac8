/** What docs/reference.md must say of the interface, read off the OpenAPI document, for the test that compares them. */
import { bodyErrors, type ErrorCode, errors, sharedErrors } from '@plumbline/contract'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

interface DescribedOperation {
  readonly operationId: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A row of a table: its cells, without the bars. */
export type Row = readonly string[]

/** One operation as the reference shows it. */
export interface OperationSection {
  readonly name: string
  /** `GET /prompts/{slug}, scope read, role viewer`. */
  readonly line: string
  readonly summary: string
  /** Field, where it travels, type, required, notes. */
  readonly input: readonly Row[]
  readonly success: string
  /** Field, type, always there, notes. */
  readonly output: readonly Row[]
  /** Status and code of every error that not all operations share. */
  readonly errors: readonly string[]
}

export function operationSections({ paths }: OpenApi): OperationSection[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const answers = Object.entries(operation.responses)
      const [success, answer] = answers.find(([status]) => status.startsWith('2')) ?? ['', undefined]
      const [, summary = '', scope = '', role = ''] =
        /^(.*) Scope: (`\w+`(?: or `\w+`)?); role: `(\w+)`\.$/s.exec(operation.description) ?? []
      return {
        name: operation.operationId,
        line: `\`${method.toUpperCase()} ${path}\`, scope ${scope}, role \`${role}\``,
        summary,
        input: [...parameterRows(operation), ...bodyRows(operation)],
        success,
        output: rowsOf(schemaIn(answer?.content)),
        errors: answers.flatMap(([, { description }]) => ownErrors(description)),
      }
    }),
  )
}

/** The codes that an answer's description lists, less those that many operations share, with their status. */
const ownErrors = (description: string): string[] =>
  description
    .split(', ')
    .filter((code): code is ErrorCode => code in errors && !shared.has(code))
    .map((code) => `${errors[code].status} \`${code}\``)

const shared: ReadonlySet<string> = new Set([...sharedErrors, ...bodyErrors])

/** Field, type, required and notes of every shape, by its name. */
export const shapeSections = ({ components }: OpenApi): Map<string, readonly Row[]> =>
  new Map(Object.entries(components.schemas).map(([name, schema]) => [name, rowsOf(schema)]))

const parameterRows = ({ parameters = [] }: DescribedOperation): Row[] =>
  parameters.map(({ name, in: where, required, description, schema }) => [
    name,
    where,
    typeInWords(schema),
    required ? 'yes' : '',
    schema.description ?? description ?? '',
  ])

const bodyRows = ({ requestBody }: DescribedOperation): Row[] =>
  rowsOf(schemaIn(requestBody?.content)).map(([name = '', ...rest]) => [name, 'body', ...rest])

const schemaIn = (content: Content | undefined): Schema | undefined =>
  content && Object.values(content)[0]?.schema

/** The fields of a schema; those of an object without a name of its own are shown with their path. */
function rowsOf(schema: Schema | undefined, path = ''): Row[] {
  if (schema === undefined) return []
  if (schema.$ref !== undefined || schema.oneOf !== undefined || schema.properties === undefined) {
    return path === '' ? [['(the body)', typeInWords(schema), 'yes', schema.description ?? '']] : []
  }
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false
    const row = [`${path}${name}`, typeInWords(field), isRequired ? 'yes' : '', field.description ?? '']
    return [row, ...rowsOf(innerObject(field), `${path}${name}${isList(field) ? '[]' : ''}.`)]
  })
}

const isList = (schema: Schema): boolean =>
  [schema.type].flat().includes('array') && schema.items !== undefined

/** The object without a name that a field or each of its elements is, if it is one. */
function innerObject(schema: Schema): Schema | undefined {
  const inner = isList(schema) ? schema.items : schema
  return inner?.properties === undefined ? undefined : inner
}

function typeInWords(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return `[${name}](#${name.toLowerCase()})`
  }
  const shapes = schema.anyOf ?? schema.oneOf
  if (shapes !== undefined) return either(shapes.map(typeInWords))
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`
  if (schema.type === undefined) return 'any JSON'
  const types = [schema.type].flat()
  const isInstant = schema.format === 'date-time'
  const words = types
    .filter((type) => !(isInstant && type === 'number'))
    .map((type) => {
      if (type === 'array' && schema.items !== undefined) return `array of ${typeInWords(schema.items)}`
      if (type === 'string' && isInstant) return types.includes('number') ? 'timestamp' : 'date-time'
      if (type === 'string' && schema.format === 'uuid') return 'uuid'
      return type
    })
  return `${either(words)}${rangeOf(schema)}`
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  return minimum === undefined ? '' : `, ${minimum} or more`
}

const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
