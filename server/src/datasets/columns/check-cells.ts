/** Checks the values of rows against the schemas of their columns. */
import { invalid } from '@plumbline/contract'
import type { DatasetColumn } from '@plumbline/storage/control'
import { findValueProblem } from './column-schema.ts'

/** A value that does not match the schema of its column. */
export interface CellProblem {
  readonly column: string
  /** The rest of a sentence that starts with the column. */
  readonly problem: string
  readonly isRejected: boolean
}

/** Empty cells are not checked. */
const isEmpty = (value: unknown): boolean => value == null || value === ''

/** Problems of the values that are present, in column order. */
export function checkCells(
  columns: readonly DatasetColumn[],
  values: Readonly<Record<string, unknown>>,
): CellProblem[] {
  return columns.flatMap(({ name, schema, onMismatch }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    const problem = schema === undefined || isEmpty(value) ? undefined : findValueProblem(schema, value)
    return problem === undefined ? [] : [{ column: name, problem, isRejected: onMismatch === 'reject' }]
  })
}

/** Like `checkCells`, but throws `invalid_request` for the first value that its column rejects. `path` is that of the values. */
export function enforceSchemas(
  columns: readonly DatasetColumn[],
  values: Readonly<Record<string, unknown>>,
  path: string,
): CellProblem[] {
  const problems = checkCells(columns, values)
  const rejected = problems.find(({ isRejected }) => isRejected)
  if (rejected !== undefined) throw invalid(`${path}.${rejected.column}`, rejected.problem)
  return problems
}

/** The problems of a row by column, in the form of responses; no field if there are none. */
export const problemsByColumn = (problems: readonly CellProblem[]): { problems?: Record<string, string> } =>
  problems.length === 0
    ? {}
    : { problems: Object.fromEntries(problems.map(({ column, problem }) => [column, problem])) }

const describedMax = 5

/** One warning about omitted values and mismatches; no field if there are none. */
export function withMismatches(
  { warning }: { readonly warning?: string },
  problems: readonly CellProblem[],
): { warning?: string } {
  if (problems.length === 0) return warning === undefined ? {} : { warning }
  const descriptions = problems.slice(0, describedMax).map(({ column, problem }) => `${column} ${problem}`)
  const rest = problems.length > describedMax ? `, and ${problems.length - describedMax} more` : ''
  const mismatches = `Some values do not match the schema of their column: ${descriptions.join('; ')}${rest}.`
  return { warning: warning === undefined ? mismatches : `${warning}. ${mismatches}` }
}
