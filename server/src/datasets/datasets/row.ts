import type { DatasetRow, StoredRow as RowWithId } from '@plumbline/contract'
import type { DatasetColumn, NewDatasetRow, DatasetRow as StoredRow } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { checkCells, problemsByColumn } from '../columns/check-cells.ts'

/** A row with the values whose columns exist, and the names of columns that do not. */
export function toRow(
  { values, name, idealOutput, metadata, split, labels }: Omit<StoredRow, 'id' | 'createdAt'>,
  columns: ReadonlySet<string>,
): { row: DatasetRow; omittedColumns: string[] } {
  // Safe: the row's values and metadata were JSON objects when they were stored.
  const all = Object.entries(parseJsonText(values) as Record<string, unknown>)
  const row: DatasetRow = {
    values: Object.fromEntries(all.filter(([column]) => columns.has(column))),
    ...(name === undefined ? {} : { name }),
    ...(idealOutput === undefined ? {} : { idealOutput }),
    ...(metadata === undefined ? {} : { metadata: parseJsonText(metadata) as Record<string, unknown> }),
    ...(split === undefined ? {} : { split }),
    ...(labels.length === 0 ? {} : { labels: [...labels] }),
  }
  return { row, omittedColumns: all.map(([column]) => column).filter((column) => !columns.has(column)) }
}

/** A row for editing, with its id and its mismatches with the column schemas. */
export function toStoredRow(
  storedRow: StoredRow,
  columns: readonly DatasetColumn[],
): { row: RowWithId; omittedColumns: string[] } {
  const { row, omittedColumns } = toRow(storedRow, new Set(columns.map(({ name }) => name)))
  const problems = problemsByColumn(checkCells(columns, row.values))
  const { id, createdAt } = storedRow
  return { row: { id, ...row, ...problems, createdAt: createdAt.toISOString() }, omittedColumns }
}

interface RowInput {
  readonly values: Record<string, unknown>
  readonly name?: string | null
  readonly idealOutput?: string | null
  readonly metadata?: Record<string, unknown> | null
  readonly split?: string | null
  readonly labels?: readonly string[] | null
}

/** Converts a row from a request to the form of the store. */
export const fromSent = ({
  values,
  name,
  idealOutput,
  metadata,
  split,
  labels,
}: RowInput): NewDatasetRow => ({
  values: JSON.stringify(values),
  name: name ?? undefined,
  idealOutput: idealOutput ?? undefined,
  metadata: metadata == null ? undefined : JSON.stringify(metadata),
  split: split ?? undefined,
  labels: labels ?? undefined,
})

/** Warns about values that were sent without a column; they are stored, and appear when the column is added. */
export const omittedOnAdding = (columnNames: readonly string[]): { warning?: string } =>
  columnNames.length === 0
    ? {}
    : {
        warning: `The following columns do not exist in the dataset and were omitted: ${columnNames.join(', ')}`,
      }
