import type { DatasetRow } from '@plumbline/contract'
import type { DatasetRow as StoredRow } from '@plumbline/storage/control'

/** A row with the values whose columns exist, and the names of those that do not. */
export function toRow(
  { values, name, idealOutput, metadata }: Pick<StoredRow, 'values' | 'name' | 'idealOutput' | 'metadata'>,
  columns: ReadonlySet<string>,
): { row: DatasetRow; omitted: string[] } {
  // Safe: the row's values and metadata were JSON objects when they were stored.
  const all = Object.entries(JSON.parse(values) as Record<string, unknown>)
  const row: DatasetRow = {
    values: Object.fromEntries(all.filter(([column]) => columns.has(column))),
    ...(name === undefined ? {} : { name }),
    ...(idealOutput === undefined ? {} : { idealOutput }),
    ...(metadata === undefined ? {} : { metadata: JSON.parse(metadata) as Record<string, unknown> }),
  }
  return { row, omitted: all.map(([column]) => column).filter((column) => !columns.has(column)) }
}
