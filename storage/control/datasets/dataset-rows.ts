/** Writes the rows of datasets. If a version contains a row, the row is copied to the history before it changes. */
import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import {
  type DatasetRow,
  labelsText,
  type NewDatasetRow,
  type RowOfDataset,
  requireDataset,
  toDatasetRow,
} from './dataset-row.ts'
import { keepRows } from './dataset-row-history.ts'

export { facets, findAnywhere, list, type RowSelection, stream } from './read-dataset-rows.ts'
export type { DatasetRow, NewDatasetRow }

const rowsPerInsert = 500

/** Adds one row at the end. */
export async function add(db: WorkspaceDb, slug: string, row: NewDatasetRow, now: Date): Promise<DatasetRow> {
  const [id] = await addMany(db, slug, [row], now)
  return {
    id: id!,
    name: row.name,
    values: row.values,
    idealOutput: row.idealOutput,
    metadata: row.metadata,
    split: row.split,
    labels: JSON.parse(labelsText(row.labels) ?? '[]'),
    createdAt: now,
  }
}

/** Adds rows at the end, all or none, in their order; returns their ids. Existing rows keep their place. */
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
    const [dataset] = await sql<{ id: string; last_position: number; last_version: number }>`
      UPDATE datasets SET row_count = row_count + ${rows.length}, last_position = last_position + ${rows.length}
      WHERE workspace_id = ${workspaceId} AND slug = ${slug}
      RETURNING id, last_position, last_version`
    if (dataset === undefined) throw new NotFound('dataset', slug)
    const added: string[] = []
    const first = dataset.last_position - rows.length + 1
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const chunk = rows.slice(start, start + rowsPerInsert).map((row, index) => {
        const id = row.id ?? newId()
        added.push(id)
        const { name = null, values, idealOutput = null, metadata = null, split = null } = row
        const position = first + start + index
        const texts = [name, values, idealOutput, metadata, split, labelsText(row.labels)]
        return [dataset.id, position, id, workspaceId, ...texts, dataset.last_version + 1, now.getTime()]
      })
      await sql`
        INSERT INTO dataset_rows
          (dataset_id, position, id, workspace_id, name, row_values, ideal_output, metadata, split, labels,
            since_version, created_at)
        VALUES ${chunk}`
    }
    return all.map(({ id }) => (id !== undefined && replaced.has(id) ? id : added.shift()!))
  })
}

/** Replaces the rows that already exist, by id, and returns their ids. */
async function replaceRows(
  tx: WorkspaceSql,
  slug: string,
  rows: readonly NewDatasetRow[],
): Promise<ReadonlySet<string>> {
  const { sql, workspaceId } = tx
  const replaced = new Set<string>()
  const ids = rows.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return replaced
  const datasetId = await requireDataset(tx, slug)
  const existing = await sql<{ id: string; position: number }>`
    SELECT id, position FROM dataset_rows
    WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND id IN (${ids})`
  const positions = existing.map(({ position }) => position)
  await keepRows(tx, datasetId, positions)
  const existingIds = new Set(existing.map(({ id }) => id))
  for (const { id, name = null, values, idealOutput = null, metadata = null, split = null, labels } of rows) {
    if (id === undefined || !existingIds.has(id)) continue
    await sql`
      UPDATE dataset_rows
      SET name = ${name}, row_values = ${values}, ideal_output = ${idealOutput}, metadata = ${metadata},
        split = ${split}, labels = ${labelsText(labels)},
        since_version = (SELECT last_version + 1 FROM datasets WHERE id = ${datasetId})
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND id = ${id}`
    replaced.add(id)
  }
  return replaced
}

/** Undefined leaves a field unchanged, null clears it. */
export type DatasetRowChange = {
  /** Checks the row before it changes; throwing leaves the row unchanged. */
  readonly check?: (row: DatasetRow) => void
  /** Maps the JSON text of the current values to that of the new ones. */
  readonly values?: (current: string) => string
  readonly name?: string | null
  readonly idealOutput?: string | null
  /** JSON text. */
  readonly metadata?: string | null
  readonly split?: string | null
  readonly labels?: readonly string[] | null
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
      SELECT id, position, name, row_values, ideal_output, metadata, split, labels, created_at FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND id = ${id}`
    if (row === undefined) throw new NotFound('datasetRow', id)
    change.check?.(toDatasetRow(row))
    const changed: RowOfDataset = {
      ...row,
      row_values: change.values?.(row.row_values) ?? row.row_values,
      name: change.name === undefined ? row.name : change.name,
      ideal_output: change.idealOutput === undefined ? row.ideal_output : change.idealOutput,
      metadata: change.metadata === undefined ? row.metadata : change.metadata,
      split: change.split === undefined ? row.split : change.split,
      labels: change.labels === undefined ? row.labels : labelsText(change.labels),
    }
    await keepRows(tx, datasetId, [row.position])
    await sql`
      UPDATE dataset_rows SET row_values = ${changed.row_values}, name = ${changed.name},
        ideal_output = ${changed.ideal_output}, metadata = ${changed.metadata}, split = ${changed.split},
        labels = ${changed.labels}, since_version = (SELECT last_version + 1 FROM datasets WHERE id = ${datasetId})
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position = ${row.position}`
    return toDatasetRow(changed)
  })
}

/** Deletes rows; returns how many existed. */
export function removeMany(db: WorkspaceDb, slug: string, ids: readonly string[]): Promise<number> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const datasetId = await requireDataset(tx, slug)
    const rows = await sql<{ position: number }>`
      SELECT position FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND id IN (${ids})`
    const positions = rows.map(({ position }) => position)
    await keepRows(tx, datasetId, positions)
    const deletedRows = await sql<{ id: string }>`
      DELETE FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${datasetId} AND position IN (${positions}) RETURNING id`
    await sql`
      UPDATE datasets SET row_count = row_count - ${deletedRows.length}
      WHERE workspace_id = ${workspaceId} AND id = ${datasetId}`
    return deletedRows.length
  })
}
