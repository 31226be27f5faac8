/** Makes a dataset row from a recorded trace or log. */
import { invalid, type Variable } from '@plumbline/contract'
import type { NewDatasetRow } from '@plumbline/storage/control'

/** What a row is made from. */
export interface Source {
  readonly traceId: string
  readonly logId?: string
  readonly input: unknown
  readonly output: unknown
  readonly idealOutput: unknown
  readonly metadata: unknown
  readonly variables: readonly (Variable | string)[] | null
}

interface Mapping {
  /** Column names and their paths. */
  readonly mapping?: Readonly<Record<string, string>>
  /** The path of the ideal output. */
  readonly idealOutput?: string
}

/** The row: its columns by the mapping, else by their names; `metadata` names the source. */
export function rowOf(
  source: Source,
  columns: readonly { readonly name: string }[],
  { mapping, idealOutput }: Mapping,
): NewDatasetRow {
  const ideal = idealOutput === undefined ? source.idealOutput : readPath(source, idealOutput, 'idealOutput')
  const { traceId, logId } = source
  return {
    values: JSON.stringify(mapping === undefined ? byName(source, columns) : byMapping(source, mapping)),
    ...(ideal == null ? {} : { idealOutput: typeof ideal === 'string' ? ideal : JSON.stringify(ideal) }),
    metadata: JSON.stringify({ traceId, ...(logId === undefined ? {} : { logId }) }),
  }
}

function byMapping(source: Source, mapping: Readonly<Record<string, string>>): Record<string, unknown> {
  const filled = Object.entries(mapping).map(([column, path]) => [
    column,
    readPath(source, path, `mapping.${column}`),
  ])
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
}

function byName(source: Source, columns: readonly { readonly name: string }[]): Record<string, unknown> {
  const fields = { ...fieldsOf(source.variables), ...(isObject(source.input) ? source.input : {}) }
  const values = columns
    .filter(({ name }) => Object.hasOwn(fields, name))
    .map(({ name }) => [name, fields[name]])
  const [first] = columns
  if (values.length === 0 && first !== undefined && source.input !== null)
    return Object.fromEntries([[first.name, source.input]])
  return Object.fromEntries(values)
}

const parts = ['input', 'output', 'idealOutput', 'metadata', 'variables'] as const

/** The value at a path such as `input.messages.0.content`; undefined if there is none. */
function readPath(source: Source, path: string, field: string): unknown {
  const [first, ...rest] = path.split('.')
  const part = parts.find((name) => name === first)
  if (part === undefined) throw invalid(field, `must begin with one of ${parts.join(', ')}`)
  let value: unknown = part === 'variables' ? fieldsOf(source.variables) : source[part]
  for (const key of rest) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    // Safe: it is an object that has the key.
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const fieldsOf = (variables: Source['variables']): Record<string, unknown> =>
  Object.fromEntries(
    (variables ?? []).map((variable) =>
      typeof variable === 'string' ? [variable, null] : [variable.label, variable.value],
    ),
  )

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
