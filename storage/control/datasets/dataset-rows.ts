import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import { beforeAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { isObject, readable, readJson, readTime } from '../unreadable-rows.ts'

/** One case of a dataset. */
export type DatasetRow = {
  id: string
  name: string | undefined
  /** JSON text: an object by column name. */
  values: string
  idealOutput: string | undefined
  /** JSON text: an object. */
  metadata: string | undefined
  createdAt: Date
}

export type NewDatasetRow = {
  /** A new one when absent; a row of the dataset that has it is replaced. */
  readonly id?: string | undefined
  readonly name?: string
  /** JSON text: an object by column name. */
  readonly values: string
  readonly idealOutput?: string
  /** JSON text: an object. */
  readonly metadata?: string
}

type RowOfDataset = {
  id: string
  position: number
  name: string | null
  row_values: string
  ideal_output: string | null
  metadata: string | null
  created_at: number
}

const rowsPerInsert = 500
const rowsPerRead = 1_000

/** Adds one row at the end. */
export async function add(db: WorkspaceDb, slug: string, row: NewDatasetRow, now: Date): Promise<DatasetRow> {
  const [id] = await addMany(db, slug, [row], now)
  return {
    id: id!,
    name: row.name,
    values: row.values,
    idealOutput: row.idealOutput,
    metadata: row.metadata,
    createdAt: now,
  }
}

/** Adds rows at the end, all or none, in their order; returns their ids. Rows that are there keep their place. */
export function addMany(
  db: WorkspaceDb,
  slug: string,
  all: readonly NewDatasetRow[],
  now: Date,
): Promise<string[]> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const replaced = await replaceRows(tx, slug, all)
    const rows = all.filter(({ id }) => id === undefined || !replaced.has(id))
    if (rows.length === 0 && all.length > 0) return all.map(({ id }) => id!)
    const [dataset] = await sql<{ id: string; last_position: number }>`
      UPDATE datasets SET row_count = row_count + ${rows.length}, last_position = last_position + ${rows.length}
      WHERE workspace_id = ${workspaceId} AND slug = ${slug}
      RETURNING id, last_position`
    if (dataset === undefined) throw new NotFound('dataset', slug)
    const added: string[] = []
    const first = dataset.last_position - rows.length + 1
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const chunk = rows.slice(start, start + rowsPerInsert).map((row, index) => {
        const id = row.id ?? newId()
        added.push(id)
        const { name = null, values, idealOutput = null, metadata = null } = row
        const position = first + start + index
        return [dataset.id, position, id, workspaceId, name, values, idealOutput, metadata, now.getTime()]
      })
      await sql`
        INSERT INTO dataset_rows
          (dataset_id, position, id, workspace_id, name, row_values, ideal_output, metadata, created_at)
        VALUES ${chunk}`
    }
    return all.map(({ id }) => (id !== undefined && replaced.has(id) ? id : added.shift()!))
  })
}

/** Replaces those rows of a dataset that are there by their ids, which it returns. */
async function replaceRows(
  { sql, workspaceId }: WorkspaceSql,
  slug: string,
  rows: readonly NewDatasetRow[],
): Promise<ReadonlySet<string>> {
  const replaced = new Set<string>()
  for (const { id, name = null, values, idealOutput = null, metadata = null } of rows) {
    if (id === undefined) continue
    const [row] = await sql<{ id: string }>`
      UPDATE dataset_rows
      SET name = ${name}, row_values = ${values}, ideal_output = ${idealOutput}, metadata = ${metadata}
      WHERE workspace_id = ${workspaceId} AND id = ${id}
        AND dataset_id = (SELECT id FROM datasets WHERE workspace_id = ${workspaceId} AND slug = ${slug})
      RETURNING id`
    if (row !== undefined) replaced.add(id)
  }
  return replaced
}

/** The rows that exist when reading starts, in insertion order, one chunk in memory at a time; by primary key. */
export async function* stream(
  { sql, workspaceId }: WorkspaceDb,
  slug: string,
): AsyncGenerator<DatasetRow, void> {
  const [dataset] = await sql<{ id: string; last_position: number }>`
    SELECT id, last_position FROM datasets WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  if (dataset === undefined) throw new NotFound('dataset', slug)
  let position = 0
  while (position < dataset.last_position) {
    const rows = await sql<RowOfDataset>`
      SELECT id, position, name, row_values, ideal_output, metadata, created_at FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id}
        AND position > ${position} AND position <= ${dataset.last_position}
      ORDER BY position LIMIT ${rowsPerRead}`
    const last = rows.at(-1)
    if (last === undefined) return
    position = last.position
    yield* readable('dataset_rows', rows, toDatasetRow)
  }
}

/** A page of rows in insertion order; by primary key. */
export async function list(
  db: WorkspaceDb,
  { slug, limit, after = beforeAll }: PageRequest & { readonly slug: string },
): Promise<Page<DatasetRow>> {
  const datasetId = await requireDataset(db, slug)
  const { sql, workspaceId } = db
  const matches = await sql<RowOfDataset>`
    SELECT id, position, name, row_values, ideal_output, metadata, created_at FROM dataset_rows
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position > ${after.position}
    ORDER BY position LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, ({ position, id }) => ({ position, id }))
  return { items: readable('dataset_rows', rows, toDatasetRow), ...page }
}

/** A row by its id alone, with the slug of its dataset; by dataset_rows_of_workspace. */
export async function findAnywhere(
  { sql, workspaceId }: WorkspaceDb,
  id: string,
): Promise<(DatasetRow & { slug: string }) | undefined> {
  const [row] = await sql<RowOfDataset & { slug: string }>`
    SELECT r.id, r.position, r.name, r.row_values, r.ideal_output, r.metadata, r.created_at, d.slug
    FROM dataset_rows r JOIN datasets d ON d.id = r.dataset_id
    WHERE r.workspace_id = ${workspaceId} AND r.id = ${id} AND d.workspace_id = ${workspaceId}`
  return readable('dataset_rows', row === undefined ? [] : [row], (each) => ({
    ...toDatasetRow(each),
    slug: each.slug,
  }))[0]
}

/** Undefined leaves a field unchanged, null clears it. */
export type DatasetRowChange = {
  /** Sees the row before it changes; what it throws keeps the row as it is. */
  readonly check?: (row: DatasetRow) => void
  /** Maps the JSON text of the current values to that of the new ones. */
  readonly values?: (current: string) => string
  readonly name?: string | null
  readonly idealOutput?: string | null
  /** JSON text. */
  readonly metadata?: string | null
}

/** Changes one row, found by dataset_rows_by_id. */
export function update(
  db: WorkspaceDb,
  slug: string,
  id: string,
  change: DatasetRowChange,
): Promise<DatasetRow> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const datasetId = await requireDataset(tx, slug)
    const [row] = await sql<RowOfDataset>`
      SELECT id, position, name, row_values, ideal_output, metadata, created_at FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND id = ${id}`
    if (row === undefined) throw new NotFound('datasetRow', id)
    change.check?.(toDatasetRow(row))
    const changed: RowOfDataset = {
      ...row,
      row_values: change.values?.(row.row_values) ?? row.row_values,
      name: change.name === undefined ? row.name : change.name,
      ideal_output: change.idealOutput === undefined ? row.ideal_output : change.idealOutput,
      metadata: change.metadata === undefined ? row.metadata : change.metadata,
    }
    await sql`
      UPDATE dataset_rows SET row_values = ${changed.row_values}, name = ${changed.name},
        ideal_output = ${changed.ideal_output}, metadata = ${changed.metadata}
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position = ${row.position}`
    return toDatasetRow(changed)
  })
}

/** Deletes rows; returns how many existed. */
export function removeMany(db: WorkspaceDb, slug: string, ids: readonly string[]): Promise<number> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const datasetId = await requireDataset(tx, slug)
    const deletedRows = await sql<{ id: string }>`
      DELETE FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND id IN (${ids}) RETURNING id`
    await sql`
      UPDATE datasets SET row_count = row_count - ${deletedRows.length}
      WHERE workspace_id = ${workspaceId} AND id = ${datasetId}`
    return deletedRows.length
  })
}

async function requireDataset({ sql, workspaceId }: WorkspaceSql, slug: string): Promise<string> {
  const [dataset] = await sql<{ id: string }>`
    SELECT id FROM datasets WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  if (dataset === undefined) throw new NotFound('dataset', slug)
  return dataset.id
}

function toDatasetRow(row: RowOfDataset): DatasetRow {
  return {
    id: row.id,
    name: row.name ?? undefined,
    values: readJson(row.row_values, 'row_values', isObject),
    idealOutput: row.ideal_output ?? undefined,
    metadata: row.metadata === null ? undefined : readJson(row.metadata, 'metadata', isObject),
    createdAt: readTime(row.created_at, 'created_at'),
  }
}
