/**
 * Versions of datasets. A version stores a number and its columns. Its rows are the dataset's rows that have not
 * changed since, and the copies in the history of those that have.
 */
import { NotFound } from '../errors.ts'
import { beforeAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { readable, readJson, readTime } from '../unreadable-rows.ts'
import { type DatasetRow, type RowOfDataset, requireDataset, toDatasetRow } from './dataset-row.ts'
import type { DatasetColumn } from './datasets.ts'

export type DatasetVersion = {
  version: number
  columns: readonly DatasetColumn[]
  rowCount: number
  note: string
  createdBy: string
  createdAt: Date
}

type VersionRow = {
  version: number
  columns: string
  row_count: number
  note: string
  created_by: string
  created_at: number
}

export type NewVersion = { readonly note: string; readonly createdBy: string; readonly now: Date }

/** Creates a version of the current dataset. */
export const create = (db: WorkspaceDb, slug: string, input: NewVersion): Promise<DatasetVersion> =>
  db.mutate((tx) => insert(tx, slug, input))

/** The latest version if nothing has changed since, otherwise a new one. */
export const ensure = (db: WorkspaceDb, slug: string, input: NewVersion): Promise<DatasetVersion> =>
  db.mutate((tx) => latestOrNew(tx, slug, input))

async function latestOrNew(tx: WorkspaceSql, slug: string, input: NewVersion): Promise<DatasetVersion> {
  if (await hasChanges(tx, slug)) return insert(tx, slug, input)
  const { sql, workspaceId } = tx
  const rows = await sql<VersionRow>`
    SELECT v.version, v.columns, v.row_count, v.note, v.created_by, v.created_at
    FROM dataset_versions v JOIN datasets d ON d.id = v.dataset_id AND d.last_version = v.version
    WHERE v.workspace_id = ${workspaceId} AND d.workspace_id = ${workspaceId} AND d.slug = ${slug}`
  return readable('dataset_versions', rows, toVersion)[0] ?? insert(tx, slug, input)
}

async function insert(
  { sql, workspaceId }: WorkspaceSql,
  slug: string,
  { note, createdBy, now }: NewVersion,
): Promise<DatasetVersion> {
  const [dataset] = await sql<{ id: string; last_version: number; columns: string; row_count: number }>`
    UPDATE datasets SET last_version = last_version + 1 WHERE workspace_id = ${workspaceId} AND slug = ${slug}
    RETURNING id, last_version, columns, row_count`
  if (dataset === undefined) throw new NotFound('dataset', slug)
  const rows = await sql<VersionRow>`
    INSERT INTO dataset_versions (dataset_id, version, workspace_id, columns, row_count, note, created_by, created_at)
    VALUES (${dataset.id}, ${dataset.last_version}, ${workspaceId}, ${dataset.columns}, ${dataset.row_count}, ${note},
      ${createdBy}, ${now.getTime()})
    RETURNING version, columns, row_count, note, created_by, created_at`
  return toVersion(rows[0]!)
}

/** Whether rows or columns differ from the latest version, or there is none; by dataset_rows_by_version. */
export async function hasChanges({ sql, workspaceId }: WorkspaceSql, slug: string): Promise<boolean> {
  const [dataset] = await sql<{
    id: string
    last_version: number
    columns: string
    version_columns: string | null
  }>`
    SELECT d.id, d.last_version, d.columns, v.columns AS version_columns FROM datasets d
    LEFT JOIN dataset_versions v ON v.dataset_id = d.id AND v.version = d.last_version
    WHERE d.workspace_id = ${workspaceId} AND d.slug = ${slug}`
  if (dataset === undefined) throw new NotFound('dataset', slug)
  if (dataset.columns !== dataset.version_columns) return true
  const changed = await sql`
    SELECT id FROM dataset_rows
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id} AND since_version > ${dataset.last_version}
    LIMIT 1`
  if (changed.length > 0) return true
  const removedRows = await sql`
    SELECT id FROM dataset_row_history
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id} AND until_version >= ${dataset.last_version}
    LIMIT 1`
  return removedRows.length > 0
}

/** Versions of a dataset, or one of them, the newest first; by primary key. */
export async function list(
  db: WorkspaceDb,
  {
    slug,
    version,
    limit,
    after,
  }: PageRequest & { readonly slug: string; readonly version?: number | undefined },
): Promise<Page<DatasetVersion>> {
  const datasetId = await requireDataset(db, slug)
  const { sql, workspaceId } = db
  const matches = await sql<VersionRow>`
    SELECT version, columns, row_count, note, created_by, created_at FROM dataset_versions
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId}
      AND version < ${after?.position ?? Number.MAX_SAFE_INTEGER}
      AND (CAST(${version ?? null} AS bigint) IS NULL OR version = ${version ?? null})
    ORDER BY version DESC LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, ({ version }) => ({ position: version, id: '' }))
  return { items: readable('dataset_versions', rows, toVersion), ...page }
}

/** One version, by primary key. */
export async function find(
  db: WorkspaceDb,
  slug: string,
  version: number,
): Promise<DatasetVersion | undefined> {
  const datasetId = await requireDataset(db, slug)
  const { sql, workspaceId } = db
  const rows = await sql<VersionRow>`
    SELECT version, columns, row_count, note, created_by, created_at FROM dataset_versions
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND version = ${version}`
  return readable('dataset_versions', rows, toVersion)[0]
}

/** A row that differs between two versions; without `before` it was added, without `after` it was removed. */
export type RowDifference = {
  readonly id: string
  readonly before: DatasetRow | undefined
  readonly after: DatasetRow | undefined
}

type DifferentRow = {
  id: string
  position: number
  position_before: number | null
  position_after: number | null
}

/** Later than any version: the current state of the dataset. */
const current = Number.MAX_SAFE_INTEGER

/** Rows that differ between two versions, in order; without `to`, compares with the current dataset. */
export async function compare(
  db: WorkspaceDb,
  {
    slug,
    from,
    to = current,
    limit,
    after = beforeAll,
  }: PageRequest & { readonly slug: string; readonly from: number; readonly to?: number | undefined },
): Promise<Page<RowDifference>> {
  const datasetId = await requireDataset(db, slug)
  const { sql, workspaceId } = db
  const matches = await sql<DifferentRow>`
    SELECT coalesce(b.id, a.id) AS id, coalesce(b.position, a.position) AS position,
      a.position AS position_before, b.position AS position_after
    FROM (
      SELECT position, since_version, id, name, row_values, ideal_output, metadata, split, labels FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${from}
      UNION ALL
      SELECT position, since_version, id, name, row_values, ideal_output, metadata, split, labels
      FROM dataset_row_history
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${from}
        AND until_version >= ${from}
    ) AS a FULL JOIN (
      SELECT position, since_version, id, name, row_values, ideal_output, metadata, split, labels FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${to}
      UNION ALL
      SELECT position, since_version, id, name, row_values, ideal_output, metadata, split, labels
      FROM dataset_row_history
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${to}
        AND until_version >= ${to}
    ) AS b ON a.id = b.id
    WHERE (a.id IS NULL OR b.id IS NULL OR (a.since_version <> b.since_version AND (
        a.row_values <> b.row_values OR a.name IS DISTINCT FROM b.name
        OR a.ideal_output IS DISTINCT FROM b.ideal_output OR a.metadata IS DISTINCT FROM b.metadata
        OR a.split IS DISTINCT FROM b.split OR a.labels IS DISTINCT FROM b.labels)))
      AND (coalesce(b.position, a.position) > ${after.position}
        OR (coalesce(b.position, a.position) = ${after.position} AND coalesce(b.id, a.id) > ${after.id}))
    ORDER BY coalesce(b.position, a.position), coalesce(b.id, a.id) LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, ({ position, id }) => ({ position, id }))
  const placesBefore = rows.flatMap((row) => row.position_before ?? [])
  const placesAfter = rows.flatMap((row) => row.position_after ?? [])
  const before = await rowsAt(db, datasetId, { version: from, positions: placesBefore })
  const now = await rowsAt(db, datasetId, { version: to, positions: placesAfter })
  return { items: rows.map(({ id }) => ({ id, before: before.get(id), after: now.get(id) })), ...page }
}

/** Some rows of a version by their ids; by primary keys. */
async function rowsAt(
  { sql, workspaceId }: WorkspaceDb,
  datasetId: string,
  { version, positions }: { readonly version: number; readonly positions: readonly number[] },
): Promise<ReadonlyMap<string, DatasetRow>> {
  const rows = await sql<RowOfDataset>`
    SELECT id, position, name, row_values, ideal_output, metadata, split, labels, created_at FROM dataset_rows
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position IN (${positions})
      AND since_version <= ${version}
    UNION ALL
    SELECT id, position, name, row_values, ideal_output, metadata, split, labels, created_at FROM dataset_row_history
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position IN (${positions})
      AND since_version <= ${version} AND until_version >= ${version}`
  return new Map(readable('dataset_rows', rows, toDatasetRow).map((row) => [row.id, row]))
}

/**
 * Restores the rows and columns of a version. The previous state becomes a version, so that this can be undone; returns
 * its number. Rows that have not changed since the version are not touched.
 */
export function restore(
  db: WorkspaceDb,
  slug: string,
  version: number,
  input: NewVersion,
): Promise<{ readonly saved: number }> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const datasetId = await requireDataset(tx, slug)
    const [target] = await sql<{ columns: string }>`
      SELECT columns FROM dataset_versions
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND version = ${version}`
    if (target === undefined) throw new NotFound('datasetVersion', String(version))
    const { version: saved } = await latestOrNew(tx, slug, input)
    await sql`
      INSERT INTO dataset_row_history (dataset_id, position, since_version, until_version, id, workspace_id, name,
        row_values, ideal_output, metadata, split, labels, created_at)
      SELECT dataset_id, position, since_version, CAST(${saved} AS bigint), id, workspace_id, name, row_values,
        ideal_output, metadata, split, labels, created_at
      FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version > ${version}`
    await sql`
      DELETE FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version > ${version}`
    await sql`
      INSERT INTO dataset_rows (dataset_id, position, id, workspace_id, name, row_values, ideal_output, metadata, split,
        labels, since_version, created_at)
      SELECT dataset_id, position, id, workspace_id, name, row_values, ideal_output, metadata, split, labels,
        CAST(${saved + 1} AS bigint), created_at
      FROM dataset_row_history
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${version}
        AND until_version >= ${version}`
    await sql`
      UPDATE datasets SET columns = ${target.columns}, row_count = (
        SELECT count(*) FROM dataset_rows r WHERE r.workspace_id = ${workspaceId} AND r.dataset_id = datasets.id)
      WHERE workspace_id = ${workspaceId} AND id = ${datasetId}`
    return { saved }
  })
}

const toVersion = (row: VersionRow): DatasetVersion => ({
  version: row.version,
  columns: JSON.parse(readJson(row.columns, 'columns', Array.isArray)),
  rowCount: row.row_count,
  note: row.note,
  createdBy: row.created_by,
  createdAt: readTime(row.created_at, 'created_at'),
})
