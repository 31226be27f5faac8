/** Schemas of the OpenAPI document as rows of Markdown tables: a row for each field, with its path, type and description. */

export interface Schema {
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
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly minProperties?: number
  readonly maxItems?: number
  readonly description?: string
}

/** The cells of a row: field, type, `yes` if required, description. */
export type FieldRow = readonly [field: string, type: string, required: string, description: string]

/** The anchor that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** A Markdown table, whose cells may hold any text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows.map((row) => row.map(escapeCell))]
  return lines
    .map((cells) => `|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`)
    .join('\n')
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')

/** The fields of a schema. Fields of an unnamed object follow it, with their path. */
export function fieldRows(schema: Schema, path = ''): FieldRow[] {
  if (schema.properties === undefined || schema.oneOf !== undefined) {
    return path === '' ? [['(the body)', describeType(schema), 'yes', schema.description ?? '']] : []
  }
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false
    const row: FieldRow = [
      `\`${path}${name}\``,
      describeType(field),
      isRequired ? 'yes' : '',
      field.description ?? '',
    ]
    const inner = innerObject(field)
    return inner === undefined
      ? [row]
      : [row, ...fieldRows(inner, `${path}${name}${isList(field) ? '[]' : ''}.`)]
  })
}

const isList = (schema: Schema): boolean =>
  [schema.type].flat().includes('array') && schema.items !== undefined

/** The unnamed object of a field, or of its list elements. */
function innerObject(schema: Schema): Schema | undefined {
  const inner = isList(schema) ? schema.items : schema
  return inner?.properties === undefined ? undefined : inner
}

/** The type of a field in words, with links to the named shapes. */
export function describeType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return `[${name}](#${anchorOf(name)})`
  }
  const shapes = schema.anyOf ?? schema.oneOf
  if (shapes !== undefined) return joinWithOr(shapes.map(describeType))
  if (schema.enum !== undefined) return describeEnum(schema)
  if (schema.type === undefined) return 'any JSON'
  return joinWithOr(withoutEpochNumber(schema).map((type) => describeBasicType(type, schema)))
}

function describeEnum({ enum: values = [], type }: Schema): string {
  const names = values.map((value) => `\`${value}\``).join(', ')
  const nullable = [type].flat().includes('null') && !values.includes(null as never) ? ' or null' : ''
  return `${values.length > 1 ? 'one of ' : ''}${names}${nullable}`
}

/** The types of a schema. A timestamp counts as one type, although it may be a text or a number. */
const withoutEpochNumber = ({ type, format }: Schema): string[] =>
  [type]
    .flat()
    .filter((name): name is string => name !== undefined && !(format === 'date-time' && name === 'number'))

function describeBasicType(type: string, schema: Schema): string {
  if (type === 'array') {
    const elements = schema.items === undefined ? 'array' : `array of ${describeType(schema.items)}`
    return `${elements}${describeRange(schema.minItems, schema.maxItems, 'elements')}`
  }
  if (type === 'number' || type === 'integer') {
    return `${type}${describeRange(schema.minimum, schema.maximum)}`
  }
  if (type === 'object') return `object${describeRange(schema.minProperties, undefined, 'fields')}`
  if (type !== 'string') return type
  if (schema.format === 'uuid') return 'uuid'
  if (schema.format === 'date-time') {
    return [schema.type].flat().includes('number') ? '[timestamp](conventions.md#times)' : 'date-time'
  }
  return `string${describeRange(schema.minLength, schema.maxLength, 'characters')}`
}

function describeRange(least: number | undefined, most: number | undefined, unit?: string): string {
  const words = unit === undefined ? '' : ` ${unit}`
  if (least !== undefined && most !== undefined) return ` (${least} to ${most}${words})`
  if (least === 1 && unit !== undefined) return ' (not empty)'
  if (least !== undefined) return ` (${least}${words} or more)`
  return most === undefined ? '' : ` (at most ${most}${words})`
}

const joinWithOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
