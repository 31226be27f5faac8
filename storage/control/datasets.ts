import { NotFound } from './errors.ts'
import { newId } from './id.ts'
import type { WorkspaceDb } from './workspace.ts'

export type DatasetColumn = { readonly name: string; readonly type: string }

/** A table of cases, without its rows: `datasetRows` reads those. */
export type Dataset = {
  slug: string
  name: string
  columns: readonly DatasetColumn[]
  rowCount: number
  createdAt: Date
}

export type NewDataset = {
  readonly slug: string
  readonly name: string
  readonly columns: readonly DatasetColumn[]
}

export type DatasetChange = { readonly name?: string; readonly columns?: readonly DatasetColumn[] }

type DatasetTableRow = { slug: string; name: string; columns: string; row_count: number; created_at: number }

/** Adds a dataset without rows; its slug is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewDataset, now: Date): Promise<Dataset> {
  return db.write(async ({ sql, workspaceId }) => {
    const rows = await sql<DatasetTableRow>`
      INSERT INTO datasets (id, workspace_id, slug, name, columns, row_count, created_at)
      VALUES (${newId()}, ${workspaceId}, ${input.slug}, ${input.name}, ${JSON.stringify(input.columns)}, 0,
        ${now.getTime()})
      RETURNING slug, name, columns, row_count, created_at`
    return rows.map(toDataset)[0]!
  })
}

/** Every dataset, oldest first: a workspace has few, so the unique key finds them and they are sorted then. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Dataset[]> {
  const rows = await sql<DatasetTableRow>`
    SELECT slug, name, columns, row_count, created_at FROM datasets
    WHERE workspace_id = ${workspaceId} ORDER BY created_at, id`
  return rows.map(toDataset)
}

/** One dataset, by its unique slug. */
export async function find({ sql, workspaceId }: WorkspaceDb, slug: string): Promise<Dataset | undefined> {
  const rows = await sql<DatasetTableRow>`
    SELECT slug, name, columns, row_count, created_at FROM datasets
    WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  return rows.map(toDataset)[0]
}

/** Renames a dataset or replaces its columns; rows keep values of columns that went. */
export function update(db: WorkspaceDb, slug: string, change: DatasetChange): Promise<Dataset> {
  return db.write(async ({ sql, workspaceId }) => {
    const columns = change.columns === undefined ? null : JSON.stringify(change.columns)
    const rows = await sql<DatasetTableRow>`
      UPDATE datasets SET name = COALESCE(${change.name ?? null}, name), columns = COALESCE(${columns}, columns)
      WHERE workspace_id = ${workspaceId} AND slug = ${slug}
      RETURNING slug, name, columns, row_count, created_at`
    const [dataset] = rows.map(toDataset)
    if (dataset === undefined) throw new NotFound('dataset', slug)
    return dataset
  })
}

/** Deletes a dataset with its rows. */
export function remove(db: WorkspaceDb, slug: string): Promise<void> {
  return db.write(async ({ sql, workspaceId }) => {
    const [dataset] = await sql<{ id: string }>`
      SELECT id FROM datasets WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
    if (dataset === undefined) throw new NotFound('dataset', slug)
    await sql`DELETE FROM dataset_rows WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id}`
    await sql`DELETE FROM datasets WHERE workspace_id = ${workspaceId} AND id = ${dataset.id}`
  })
}

function toDataset(row: DatasetTableRow): Dataset {
  const { slug, name } = row
  const columns: DatasetColumn[] = JSON.parse(row.columns)
  return { slug, name, columns, rowCount: row.row_count, createdAt: new Date(row.created_at) }
}
