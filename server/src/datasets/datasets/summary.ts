import { type Column, columnTypes, type DatasetSummary, invalid } from '@plumbline/contract'
import type { DatasetColumn, Dataset as StoredDataset } from '@plumbline/storage/control'
import { findSchemaProblem } from '../columns/column-schema.ts'

/** A dataset as lists return it. */
export function toSummary({ slug, name, columns, rowCount, createdAt }: StoredDataset): DatasetSummary {
  return { slug, name, columns: columns.map(toColumn), rowCount, createdAt: createdAt.toISOString() }
}

/** A column as it is stored and returned; without a schema, its fields are absent. */
export function toColumn({ name, type, schema, onMismatch }: DatasetColumn): Column {
  return {
    name,
    type: columnTypes.find((candidate) => candidate === type) ?? 'json',
    ...(schema === undefined ? {} : { schema: { ...schema } }),
    ...(onMismatch === 'warn' || onMismatch === 'reject' ? { onMismatch } : {}),
  }
}

/**
 * Throws `invalid_request` if two columns have the same name, or a schema is not supported; `path` is the field to name, if
 * not the column.
 */
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
