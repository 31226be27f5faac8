/**
 * Versions of datasets. A version is a number and its columns: its rows are those of the dataset that have not changed
 * since, and those that the history kept when they did.
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

/** Makes a version of the dataset as it is. */
export const create = (db: WorkspaceDb, slug: string, input: NewVersion): Promise<DatasetVersion> =>
  db.mutate((tx) => insert(tx, slug, input))

/** The latest version if nothing has changed since, else a new one. */
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
  const [dataset] = await sql<{ id: string; last_version: number; columns: string; version_columns: string | null }>`
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
  const gone = await sql`
    SELECT id FROM dataset_row_history
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id} AND until_version >= ${dataset.last_version}
    LIMIT 1`
  return gone.length > 0
}

/** Versions of a dataset, the newest first; by primary key. */
export async function list(
  db: WorkspaceDb,
  { slug, limit, after }: PageRequest & { readonly slug: string },
): Promise<Page<DatasetVersion>> {
  const datasetId = await requireDataset(db, slug)
  const { sql, workspaceId } = db
  const matches = await sql<VersionRow>`
    SELECT version, columns, row_count, note, created_by, created_at FROM dataset_versions
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId}
      AND version < ${after?.position ?? Number.MAX_SAFE_INTEGER}
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

/** A row that two versions have differently; without `before` it is new, without `after` it is gone. */
export type RowDifference = {
  readonly id: string
  readonly before: DatasetRow | undefined
  readonly after: DatasetRow | undefined
}

type DifferenceRow = {
  id: string
  position: number
  before_id: string | null
  before_position: number
  before_name: string | null
  before_values: string
  before_ideal_output: string | null
  before_metadata: string | null
  before_split: string | null
  before_labels: string | null
  before_created_at: number
  after_id: string | null
  after_position: number
  after_name: string | null
  after_values: string
  after_ideal_output: string | null
  after_metadata: string | null
  after_split: string | null
  after_labels: string | null
  after_created_at: number
}

/** Later than any version: what the dataset is now. */
const now = Number.MAX_SAFE_INTEGER

/** Rows that differ between two versions, in the order of their places; without `to`, from the dataset as it is. */
export async function compare(
  db: WorkspaceDb,
  {
    slug,
    from,
    to = now,
    limit,
    after = beforeAll,
  }: PageRequest & { readonly slug: string; readonly from: number; readonly to?: number | undefined },
): Promise<Page<RowDifference>> {
  const datasetId = await requireDataset(db, slug)
  const { sql, workspaceId } = db
  const matches = await sql<DifferenceRow>`
    SELECT coalesce(b.id, a.id) AS id, coalesce(b.position, a.position) AS position,
      a.id AS before_id, a.position AS before_position, a.name AS before_name, a.row_values AS before_values,
      a.ideal_output AS before_ideal_output, a.metadata AS before_metadata, a.split AS before_split,
      a.labels AS before_labels, a.created_at AS before_created_at,
      b.id AS after_id, b.position AS after_position, b.name AS after_name, b.row_values AS after_values,
      b.ideal_output AS after_ideal_output, b.metadata AS after_metadata, b.split AS after_split,
      b.labels AS after_labels, b.created_at AS after_created_at
    FROM (
      SELECT * FROM (
        SELECT position, since_version, id, name, row_values, ideal_output, metadata, split, labels, created_at
        FROM dataset_rows
        WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${from}
        UNION ALL
        SELECT position, since_version, id, name, row_values, ideal_output, metadata, split, labels, created_at
        FROM dataset_row_history
        WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${from}
          AND until_version >= ${from}
      ) AS rows_before
    ) AS a FULL JOIN (
      SELECT * FROM (
        SELECT position, since_version, id, name, row_values, ideal_output, metadata, split, labels, created_at
        FROM dataset_rows
        WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${to}
        UNION ALL
        SELECT position, since_version, id, name, row_values, ideal_output, metadata, split, labels, created_at
        FROM dataset_row_history
        WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND since_version <= ${to}
          AND until_version >= ${to}
      ) AS rows_after
    ) AS b ON a.id = b.id
    WHERE (a.id IS NULL OR b.id IS NULL OR (a.since_version <> b.since_version AND (
        a.row_values <> b.row_values OR a.name IS DISTINCT FROM b.name
        OR a.ideal_output IS DISTINCT FROM b.ideal_output OR a.metadata IS DISTINCT FROM b.metadata
        OR a.split IS DISTINCT FROM b.split OR a.labels IS DISTINCT FROM b.labels)))
      AND (coalesce(b.position, a.position) > ${after.position}
        OR (coalesce(b.position, a.position) = ${after.position} AND coalesce(b.id, a.id) > ${after.id}))
    ORDER BY coalesce(b.position, a.position), coalesce(b.id, a.id) LIMIT ${rowsToRead(limit)}`
  const { rows, ...page } = pageOf(matches, limit, ({ position, id }) => ({ position, id }))
  return { items: readable('dataset_rows', rows, toDifference), ...page }
}

/**
 * Makes the rows and columns of a version those of the dataset. What the dataset had is a version afterwards, so that
 * this can be undone: the result is its number. Rows that have not changed since the version are not touched.
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

const toDifference = (row: DifferenceRow): RowDifference => ({
  id: row.id,
  before: row.before_id === null ? undefined : toDatasetRow(rowBefore(row, row.before_id)),
  after: row.after_id === null ? undefined : toDatasetRow(rowAfter(row, row.after_id)),
})

const rowBefore = (row: DifferenceRow, id: string): RowOfDataset => ({
  id,
  position: row.before_position,
  name: row.before_name,
  row_values: row.before_values,
  ideal_output: row.before_ideal_output,
  metadata: row.before_metadata,
  split: row.before_split,
  labels: row.before_labels,
  created_at: row.before_created_at,
})

const rowAfter = (row: DifferenceRow, id: string): RowOfDataset => ({
  id,
  position: row.after_position,
  name: row.after_name,
  row_values: row.after_values,
  ideal_output: row.after_ideal_output,
  metadata: row.after_metadata,
  split: row.after_split,
  labels: row.after_labels,
  created_at: row.after_created_at,
})
