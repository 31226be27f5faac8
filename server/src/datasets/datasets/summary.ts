import { type Column, columnTypes, type DatasetSummary, invalid } from '@plumbline/contract'
import type { Dataset as StoredDataset } from '@plumbline/storage/control'

/** A dataset as lists show it. */
export function toSummary({ slug, name, columns, rowCount, createdAt }: StoredDataset): DatasetSummary {
  return { slug, name, columns: columns.map(toColumn), rowCount, createdAt: createdAt.toISOString() }
}

export function toColumn({ name, type }: { readonly name: string; readonly type: string }): Column {
  return { name, type: columnTypes.find((candidate) => candidate === type) ?? 'json' }
}

/** Throws `invalid_request` where two columns have one name; `path` is the field at fault, where it is not the column. */
export function checkColumns(columns: readonly Column[], path?: string): void {
  const columnNames = new Set<string>()
  columns.forEach(({ name }, index) => {
    if (columnNames.has(name))
      throw invalid(path ?? `columns[${index}].name`, `must be unique; there is another column "${name}"`)
    columnNames.add(name)
  })
}
