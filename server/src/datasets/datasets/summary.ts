import { type Column, columnTypes, type DatasetSummary, invalid } from '@plumbline/contract'
import type { DatasetColumn, Dataset as StoredDataset } from '@plumbline/storage/control'
import { findSchemaProblem } from '../columns/column-schema.ts'

/** A dataset as lists show it. */
export function toSummary({ slug, name, columns, rowCount, createdAt }: StoredDataset): DatasetSummary {
  return { slug, name, columns: columns.map(toColumn), rowCount, createdAt: createdAt.toISOString() }
}

/** A column as it is stored and shown; the fields of its schema are absent where it has none. */
export function toColumn({ name, type, schema, onMismatch }: DatasetColumn): Column {
  return {
    name,
    type: columnTypes.find((candidate) => candidate === type) ?? 'json',
    ...(schema === undefined ? {} : { schema: { ...schema } }),
    ...(onMismatch === 'warn' || onMismatch === 'reject' ? { onMismatch } : {}),
  }
}

/** Throws `invalid_request` where two columns have one name, or a schema is none that columns support; `path` is the field at fault, where it is not the column. */
export function checkColumns(columns: readonly Column[], path?: string): void {
  const columnNames = new Set<string>()
  columns.forEach(({ name, schema }, index) => {
    if (columnNames.has(name))
      throw invalid(path ?? `columns[${index}].name`, `must be unique; there is another column "${name}"`)
    columnNames.add(name)
    const problem = schema === undefined ? undefined : findSchemaProblem(schema)
    if (problem !== undefined) throw invalid(path ?? `columns[${index}].schema`, problem)
  })
}
