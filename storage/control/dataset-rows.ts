import { NotFound } from './errors.ts'
import { newId } from './id.ts'
import type { WorkspaceDb } from './workspace.ts'

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

/** Adds rows at the end, all or none, in their order; answers their ids. */
export function addMany(
  db: WorkspaceDb,
  slug: string,
  rows: readonly NewDatasetRow[],
  now: Date,
): Promise<string[]> {
  return db.write(async ({ sql, workspaceId }) => {
    const [dataset] = await sql<{ id: string; row_count: number }>`
      UPDATE datasets SET row_count = row_count + ${rows.length}
      WHERE workspace_id = ${workspaceId} AND slug = ${slug}
      RETURNING id, row_count`
    if (dataset === undefined) throw new NotFound('dataset', slug)
    const ids: string[] = []
    const first = dataset.row_count - rows.length + 1
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const chunk = rows.slice(start, start + rowsPerInsert).map((row, index) => {
        const id = newId()
        ids.push(id)
        const { name = null, values, idealOutput = null, metadata = null } = row
        const position = first + start + index
        return [dataset.id, position, id, workspaceId, name, values, idealOutput, metadata, now.getTime()]
      })
      await sql`
        INSERT INTO dataset_rows
          (dataset_id, position, id, workspace_id, name, row_values, ideal_output, metadata, created_at)
        VALUES ${chunk}`
    }
    return ids
  })
}

/** The rows that are there when reading begins, in order of arrival, a chunk in memory at a time; by primary key. */
export async function* stream(
  { sql, workspaceId }: WorkspaceDb,
  slug: string,
): AsyncGenerator<DatasetRow, void> {
  const [dataset] = await sql<{ id: string; row_count: number }>`
    SELECT id, row_count FROM datasets WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  if (dataset === undefined) throw new NotFound('dataset', slug)
  let position = 0
  while (position < dataset.row_count) {
    const rows = await sql<RowOfDataset>`
      SELECT id, position, name, row_values, ideal_output, metadata, created_at FROM dataset_rows
      WHERE workspace_id = ${workspaceId} AND dataset_id = ${dataset.id}
        AND position > ${position} AND position <= ${dataset.row_count}
      ORDER BY position LIMIT ${rowsPerRead}`
    const last = rows.at(-1)
    if (last === undefined) return
    position = last.position
    for (const row of rows) yield toDatasetRow(row)
  }
}

function toDatasetRow(row: RowOfDataset): DatasetRow {
  return {
    id: row.id,
    name: row.name ?? undefined,
    values: row.row_values,
    idealOutput: row.ideal_output ?? undefined,
    metadata: row.metadata ?? undefined,
    createdAt: new Date(row.created_at),
  }
}
