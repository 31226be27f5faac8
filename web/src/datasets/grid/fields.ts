/** The fields of a row as the grid shows, copies and reads them. Pure. */
import { parseExactJson } from '@plumbline/sdk/import'
import type { Input } from '../../app/api.ts'
import type { Column, StoredRow } from './row-types.ts'

export interface GridField {
  readonly id: string
  readonly header: string
  readonly type: Column['type']
  /** A column of the dataset, or a built-in field of every row. */
  readonly part: 'values' | 'idealOutput' | 'name' | 'metadata' | 'split' | 'labels'
}

const parts: readonly GridField[] = [
  { id: 'idealOutput', header: 'Ideal output', type: 'text', part: 'idealOutput' },
  { id: 'name', header: 'Name', type: 'text', part: 'name' },
  { id: 'metadata', header: 'Metadata', type: 'json', part: 'metadata' },
  { id: 'split', header: 'Split', type: 'text', part: 'split' },
  { id: 'labels', header: 'Labels', type: 'text', part: 'labels' },
]

/** The columns of the dataset, then the built-in fields. */
export const fieldsOf = (columns: readonly Column[]): readonly GridField[] => [
  ...columns.map(({ name, type }) => ({
    id: `values.${name}`,
    header: name,
    type,
    part: 'values' as const,
  })),
  ...parts,
]

export const cellValue = (row: StoredRow, field: GridField): unknown =>
  field.part === 'values' ? row.values[field.header] : row[field.part]

/** Why the value of a cell does not match the schema of its column. */
export const problemOf = (row: StoredRow | undefined, field: GridField): string | undefined =>
  field.part === 'values' ? row?.problems?.[field.header] : undefined

/** The row with the service's problems for its values. */
export function withProblems(
  { problems: _before, ...row }: StoredRow,
  problems: StoredRow['problems'],
): StoredRow {
  return problems === undefined ? row : { ...row, problems }
}

/** The text that a cell shows and copies; non-text values are JSON. */
export function textOf(row: StoredRow, field: GridField): string {
  const value = cellValue(row, field)
  if (field.part === 'labels') return Array.isArray(value) ? value.join(', ') : ''
  if (value === undefined || (value === null && field.type !== 'json')) return ''
  return typeof value === 'string' && field.type !== 'json' ? value : JSON.stringify(value)
}

/** The text that the editor starts with: JSON in several lines. */
export function editedTextOf(row: StoredRow, field: GridField): string {
  const value = cellValue(row, field)
  return typeof value === 'object' && value !== null && field.type === 'json'
    ? JSON.stringify(value, null, 2)
    : textOf(row, field)
}

export type Reading = { readonly value: unknown } | { readonly problem: string }

/** Parses a typed or pasted text into the value of a field. */
export function readText(text: string, field: GridField): Reading {
  if (field.type === 'json') {
    if (text.trim() === '') return { value: null }
    try {
      const value: unknown = parseExactJson(text)
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      return field.part === 'metadata' && !isObject
        ? { problem: 'Metadata must be a JSON object.' }
        : { value }
    } catch (error) {
      return { problem: `Not valid JSON: ${(error as Error).message}` }
    }
  }
  if (field.part === 'split' || field.part === 'labels') return readNames(text, field)
  return { value: text === '' && field.part !== 'values' ? null : text }
}

const namesMax = 64

/** A split, or comma-separated labels; null for none. */
function readNames(text: string, { part, header }: GridField): Reading {
  const names = (part === 'labels' ? text.split(',') : [text]).map((name) => name.trim())
  const filledNames = names.filter((name) => name !== '')
  const isBad = filledNames.some((name) => name.length > namesMax || /[",\\\n\r\t]/.test(name))
  if (isBad)
    return {
      problem: `${header}: use up to ${namesMax} characters without quotation marks, commas or backslashes.`,
    }
  if (filledNames.length === 0) return { value: null }
  return { value: part === 'labels' ? [...new Set(filledNames)].toSorted() : filledNames[0] }
}

/** The value of a field that was cleared. */
export const clearedValue = (field: GridField): unknown =>
  field.part === 'values' && field.type !== 'json' ? '' : null

export interface CellChange {
  readonly field: GridField
  readonly value: unknown
}

type ChangeInput = Omit<Input<'datasets.change'>, 'slug' | 'id'>

/** Changes of one row, as the service accepts them. */
export function changeInput(changes: readonly CellChange[]): ChangeInput {
  const values = changes.filter(({ field }) => field.part === 'values')
  const others = changes.filter(({ field }) => field.part !== 'values')
  return {
    ...(values.length > 0 && {
      values: Object.fromEntries(values.map(({ field, value }) => [field.header, value])),
    }),
    ...Object.fromEntries(others.map(({ field, value }) => [field.part, value])),
  }
}

/** The row as it is after the changes. */
export function changedRow(row: StoredRow, changes: readonly CellChange[]): StoredRow {
  const { values, ...others } = changeInput(changes)
  const { name, idealOutput, metadata, split, labels, problems, ...rest } = {
    ...row,
    ...others,
    values: { ...row.values, ...values },
  }
  return {
    ...rest,
    ...(name != null && { name }),
    ...(idealOutput != null && { idealOutput }),
    ...(metadata != null && { metadata }),
    ...(split != null && { split }),
    ...(labels != null && { labels }),
    ...problemsWithout(problems, Object.keys(values ?? {})),
  }
}

/** The service checks the changed values once it has stored them. */
function problemsWithout(
  problems: StoredRow['problems'],
  columns: readonly string[],
): Pick<StoredRow, 'problems'> {
  const others = Object.entries(problems ?? {}).filter(([column]) => !columns.includes(column))
  return others.length === 0 ? {} : { problems: Object.fromEntries(others) }
}

/** The changes that restore the row to its previous state. */
export const inverseOf = (row: StoredRow, changes: readonly CellChange[]): readonly CellChange[] =>
  changes.map(({ field }) => ({ field, value: cellValue(row, field) ?? clearedValue(field) }))

/** The row without the failed changes, unless later edits have replaced them. */
export function withoutChanges(
  row: StoredRow,
  changes: readonly CellChange[],
  previousRow: StoredRow,
): StoredRow {
  const own = changes.filter(({ field, value }) => isSameValue(cellValue(row, field), value))
  const { problems, ...restored } = changedRow(
    row,
    own.map(({ field }) => ({ field, value: cellValue(previousRow, field) })),
  )
  const problemsBefore = own.flatMap(({ field }) => {
    const problem = problemOf(previousRow, field)
    return problem === undefined ? [] : [[field.header, problem]]
  })
  const all = { ...problems, ...Object.fromEntries(problemsBefore) }
  return Object.keys(all).length === 0 ? restored : { ...restored, problems: all }
}

/** A missing value equals null. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

export type NewRow = Input<'datasets.append'>['rows'][number]

/** The values of a new row: if there are none, an empty first column, since the service rejects rows without values. */
export function valuesOrEmpty(values: NewRow['values'], [first]: readonly GridField[]): NewRow['values'] {
  const isEmpty = Object.keys(values).length === 0
  return isEmpty && first?.part === 'values' ? { [first.header]: clearedValue(first) } : values
}

/** A row with only these values. */
export function newRow(changes: readonly CellChange[]): NewRow {
  const { values = {}, ...others } = changeInput(changes)
  return { ...others, values }
}
