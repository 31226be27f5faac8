import { parseJsonText } from '../../parse-json-text.ts'
import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { isObject, readable, readJson, readTime } from '../unreadable-rows.ts'
import { keepRows } from './dataset-row-history.ts'

export type DatasetColumn = {
  readonly name: string
  readonly type: string
  /** A JSON Schema of its values. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly onMismatch?: string
}

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

export type DatasetChange = {
  readonly name?: string
  /** The new columns, or a function of the dataset's columns within the transaction. */
  readonly columns?:
    | readonly DatasetColumn[]
    | ((columns: readonly DatasetColumn[]) => readonly DatasetColumn[])
  /** Maps old names to new ones; the values of rows are moved too. */
  readonly renames?: ReadonlyMap<string, string>
}

type DatasetTableRow = { slug: string; name: string; columns: string; row_count: number; created_at: number }

/** Adds a dataset without rows; its slug is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewDataset, now: Date): Promise<Dataset> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<DatasetTableRow>`
      INSERT INTO datasets (id, workspace_id, slug, name, columns, row_count, created_at)
      VALUES (${newId()}, ${workspaceId}, ${input.slug}, ${input.name}, ${JSON.stringify(input.columns)}, 0,
        ${now.getTime()})
      RETURNING slug, name, columns, row_count, created_at`
    return readable('datasets', rows, toDataset)[0]!
  })
}

/** Every dataset, oldest first: found by the unique key and then sorted, since a workspace has few. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Dataset[]> {
  const rows = await sql<DatasetTableRow>`
    SELECT slug, name, columns, row_count, created_at FROM datasets
    WHERE workspace_id = ${workspaceId} ORDER BY created_at, id`
  return readable('datasets', rows, toDataset)
}

/** One dataset, by its unique slug. */
export async function find({ sql, workspaceId }: WorkspaceDb, slug: string): Promise<Dataset | undefined> {
  const rows = await sql<DatasetTableRow>`
    SELECT slug, name, columns, row_count, created_at FROM datasets
    WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  return readable('datasets', rows, toDataset)[0]
}

/** Renames a dataset, or renames or replaces its columns; rows keep the values of removed columns. */
export function update(db: WorkspaceDb, slug: string, change: DatasetChange): Promise<Dataset> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const newColumns =
      typeof change.columns === 'function' ? change.columns(await lockColumns(tx, slug)) : change.columns
    const columns = newColumns === undefined ? null : JSON.stringify(newColumns)
    const rows = await sql<DatasetTableRow>`
      UPDATE datasets SET name = COALESCE(${change.name ?? null}, name), columns = COALESCE(${columns}, columns)
      WHERE workspace_id = ${workspaceId} AND slug = ${slug}
      RETURNING slug, name, columns, row_count, created_at`
    const [dataset] = readable('datasets', rows, toDataset)
    if (dataset === undefined) throw new NotFound('dataset', slug)
    if (change.renames !== undefined) await moveValues(tx, slug, change.renames)
    return dataset
  })
}

/** Locks a dataset by its unique slug, so that changes are based on its current columns. */
async function lockColumns(
  { sql, workspaceId }: WorkspaceSql,
  slug: string,
): Promise<readonly DatasetColumn[]> {
  const rows = await sql<DatasetTableRow>`
    UPDATE datasets SET name = name WHERE workspace_id = ${workspaceId} AND slug = ${slug}
    RETURNING slug, name, columns, row_count, created_at`
  const [dataset] = readable('datasets', rows, toDataset)
  if (dataset === undefined) throw new NotFound('dataset', slug)
  return dataset.columns
}

/** Renames columns in the values of all rows, one chunk in memory at a time, by primary key. */
async function moveValues(
  tx: WorkspaceSql,
  slug: string,
  renames: ReadonlyMap<string, string>,
): Promise<void> {
  const { sql, workspaceId } = tx
  let last = 0
  for (;;) {
    const rows = await sql<{ dataset_id: string; position: number; row_values: string }>`
      SELECT r.dataset_id, r.position, r.row_values FROM dataset_rows r JOIN datasets d ON d.id = r.dataset_id
      WHERE d.workspace_id = ${workspaceId} AND d.slug = ${slug} AND r.position > ${last}
      ORDER BY r.position LIMIT 1000`
    for (const { dataset_id, position, row_values } of rows) {
      const values = renameValues(row_values, renames)
      if (values === row_values) continue
      await keepRows(tx, dataset_id, [position])
      await sql`
        UPDATE dataset_rows SET row_values = ${values},
          since_version = (SELECT last_version + 1 FROM datasets WHERE id = ${dataset_id})
        WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset_id} AND position = ${position}`
    }
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.position
  }
}

/**
 * Drops values that a removed column left under a new name: they do not belong to the renamed column. Safe: the values
 * of a row were a JSON object when they were stored.
 */
function renameValues(values: string, renames: ReadonlyMap<string, string>): string {
  const all = Object.entries(parseJsonText(values) as Record<string, unknown>)
  const newNames = new Set(renames.values())
  const moved = all.filter(([name]) => renames.has(name))
  const others = all.filter(([name]) => !renames.has(name) && !newNames.has(name))
  if (others.length === all.length) return values
  return JSON.stringify(
    Object.fromEntries([...others, ...moved.map(([name, value]) => [renames.get(name), value])]),
  )
}

/** Deletes a dataset with its rows and versions. */
export function remove(db: WorkspaceDb, slug: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [dataset] = await sql<{ id: string }>`
      SELECT id FROM datasets WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
    if (dataset === undefined) throw new NotFound('dataset', slug)
    await sql`DELETE FROM dataset_rows WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id}`
    await sql`DELETE FROM dataset_row_history WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id}`
    await sql`DELETE FROM dataset_versions WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id}`
    await sql`DELETE FROM datasets WHERE workspace_id = ${workspaceId} AND id = ${dataset.id}`
  })
}

const areColumns = (value: unknown): boolean =>
  Array.isArray(value) && value.every((column) => isObject(column) && typeof column.name === 'string')

function toDataset(row: DatasetTableRow): Dataset {
  const { slug, name } = row
  const columns: DatasetColumn[] = JSON.parse(readJson(row.columns, 'columns', areColumns))
  return { slug, name, columns, rowCount: row.row_count, createdAt: readTime(row.created_at, 'created_at') }
}
