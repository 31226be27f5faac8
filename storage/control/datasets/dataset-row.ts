/** A dataset row as stored in its table. */
import { NotFound } from '../errors.ts'
import type { WorkspaceSql } from '../store/workspace.ts'
import { isObject, readJson, readTime } from '../unreadable-rows.ts'

/** One case of a dataset. */
export type DatasetRow = {
  id: string
  name: string | undefined
  /** JSON text: an object by column name. */
  values: string
  idealOutput: string | undefined
  /** JSON text: an object. */
  metadata: string | undefined
  /** Such as train or test; undefined if in no split. */
  split: string | undefined
  labels: readonly string[]
  createdAt: Date
}

export type NewDatasetRow = {
  /** A new id is used if absent; an existing row of the dataset with this id is replaced. */
  readonly id?: string | undefined
  readonly name?: string
  /** JSON text: an object by column name. */
  readonly values: string
  readonly idealOutput?: string
  /** JSON text: an object. */
  readonly metadata?: string
  readonly split?: string
  readonly labels?: readonly string[]
}

export type RowOfDataset = {
  id: string
  position: number
  name: string | null
  row_values: string
  ideal_output: string | null
  metadata: string | null
  split: string | null
  labels: string | null
  created_at: number
}

/** The id of a dataset, by its unique slug. */
export async function requireDataset({ sql, workspaceId }: WorkspaceSql, slug: string): Promise<string> {
  const [dataset] = await sql<{ id: string }>`
    SELECT id FROM datasets WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  if (dataset === undefined) throw new NotFound('dataset', slug)
  return dataset.id
}

export function toDatasetRow(row: RowOfDataset): DatasetRow {
  return {
    id: row.id,
    name: row.name ?? undefined,
    values: readJson(row.row_values, 'row_values', isObject),
    idealOutput: row.ideal_output ?? undefined,
    metadata: row.metadata === null ? undefined : readJson(row.metadata, 'metadata', isObject),
    split: row.split ?? undefined,
    labels: row.labels === null ? [] : JSON.parse(readJson(row.labels, 'labels', Array.isArray)),
    createdAt: readTime(row.created_at, 'created_at'),
  }
}

/** The stored text of a list of labels: distinct and sorted, so that equal lists have equal texts. */
export const labelsText = (labels: readonly string[] | null | undefined): string | null =>
  labels == null || labels.length === 0 ? null : JSON.stringify([...new Set(labels)].sort())
