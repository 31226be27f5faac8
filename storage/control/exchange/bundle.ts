/** Exports all rows of a workspace, table by table, and imports them elsewhere. */
import { createHash } from 'node:crypto'
import type { Sql, SqlScalar, SqlValue } from '../store/sql.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { type BundledTable, bundledTables } from './bundled-tables.ts'
import { fitTagMoves, moveLatest } from './fit-tag-moves.ts'
import { fitVersions } from './fit-versions.ts'

/** A row as stored, without its workspace. */
export type BundledRow = Readonly<Record<string, SqlScalar>>

/** A rejected row, by its index in the input, and the reason. */
export type RowLeftOut = {
  readonly rowIndex: number
  readonly reason: string
  /** The parent row that is missing, by its name at the source. */
  readonly missingParent?: { readonly table: string; readonly name: string }
}

export type RestoredRows = { readonly added: number; readonly leftOut: readonly RowLeftOut[] }

const rowsPerRead = 500

/** Every row of one table, in key order, page by page. */
export async function* rowsOf(db: WorkspaceDb, name: string): AsyncGenerator<BundledRow, void> {
  const { columns, key } = bundledTables[name]!
  const keyColumns = key.join(', ')
  let after: SqlScalar[] | undefined
  for (;;) {
    const head = `SELECT ${columns.join(', ')} FROM ${name} WHERE workspace_id = `
    const tail = ` ORDER BY ${keyColumns} LIMIT `
    const rows: BundledRow[] =
      after === undefined
        ? await ask(db.sql, [head, tail, ''], [db.workspaceId, rowsPerRead])
        : await ask(
            db.sql,
            [head, ` AND (${keyColumns}) > (`, ...after.slice(1).map(() => ', '), `)${tail}`, ''],
            [db.workspaceId, ...after, rowsPerRead],
          )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsPerRead) return
    after = key.map((column) => last[column]!)
  }
}

/** A row to import, with its index in the input. */
export type PlacedRow = { readonly index: number; readonly row: BundledRow }

/**
 * Imports rows into one table; returns how many are new and which were rejected. Existing rows stay unchanged. An id
 * that another workspace uses is replaced by one derived from it, so that importing again adds nothing.
 */
export async function restore(
  db: WorkspaceDb,
  name: string,
  rows: readonly BundledRow[],
): Promise<RestoredRows> {
  const placed = rows.map((row, index) => ({ index, row }))
  try {
    return await restoreTogether(db, name, placed)
  } catch (error) {
    if (!isMisfit(error)) throw error
  }
  // A row violates a constraint: import each on its own, so that the others are stored.
  let added = 0
  const leftOut: RowLeftOut[] = []
  for (const placedRow of placed) {
    try {
      const result = await restoreTogether(db, name, [placedRow])
      added += result.added
      leftOut.push(...result.leftOut)
    } catch (error) {
      if (!isMisfit(error)) throw error
      leftOut.push({ rowIndex: placedRow.index, reason: 'conflicts with existing rows' })
    }
  }
  return { added, leftOut }
}

const isMisfit = (error: unknown): boolean => /foreign key|not.null/i.test(String(error))

function restoreTogether(
  db: WorkspaceDb,
  name: string,
  rowsWithPlaces: readonly PlacedRow[],
): Promise<RestoredRows> {
  const table = bundledTables[name]!
  return db.mutate(async (tx) => {
    const { placeable, leftOut } = await withParents(
      tx,
      table,
      await withOwnIds(tx, name, table, rowsWithPlaces),
    )
    const fitting =
      name === 'prompt_tag_moves' ? await fitTagMoves(tx, placeable) : await fitVersions(tx, name, placeable)
    if (fitting.length === 0) return { added: 0, leftOut }
    const values = fitting.map(({ row }) => [
      tx.workspaceId,
      ...table.columns.map((column) => row[column] ?? table.defaults[column] ?? null),
    ])
    const insertedRows = await ask(
      tx.sql,
      [
        `INSERT INTO ${name} (workspace_id, ${table.columns.join(', ')}) VALUES `,
        ` ON CONFLICT DO NOTHING RETURNING ${table.key[0]}`,
      ],
      [values],
    )
    return { added: insertedRows.length, leftOut }
  })
}

/**
 * Recomputes the counters of datasets and prompts after an import, by primary keys: a bundle may count rows that were
 * rejected. Counters never decrease, so that no number is used twice. The tag `latest` follows the imported versions.
 */
export async function recount(
  db: WorkspaceDb,
  {
    datasetIds,
    promptIds,
  }: { readonly datasetIds: readonly string[]; readonly promptIds: readonly string[] },
): Promise<void> {
  const datasets = [...(await idsHere(db, 'datasets', datasetIds)).values()]
  const prompts = [...(await idsHere(db, 'prompts', promptIds)).values()]
  await db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    await moveLatest(tx, prompts)
    await sql`
      UPDATE datasets SET row_count = (
        SELECT count(*) FROM dataset_rows r WHERE r.workspace_id = ${workspaceId} AND r.dataset_id = datasets.id)
      WHERE workspace_id = ${workspaceId} AND id IN (${datasets})`
    await sql`
      UPDATE datasets SET last_position = (
        SELECT max(r.position) FROM dataset_rows r WHERE r.workspace_id = ${workspaceId} AND r.dataset_id = datasets.id)
      WHERE workspace_id = ${workspaceId} AND id IN (${datasets}) AND last_position < (
        SELECT max(r.position) FROM dataset_rows r WHERE r.workspace_id = ${workspaceId} AND r.dataset_id = datasets.id)`
    await sql`
      UPDATE prompts SET version_count = (
        SELECT max(v.ordinal) FROM prompt_versions v WHERE v.workspace_id = ${workspaceId} AND v.prompt_id = prompts.id)
      WHERE workspace_id = ${workspaceId} AND id IN (${prompts}) AND version_count < (
        SELECT max(v.ordinal) FROM prompt_versions v WHERE v.workspace_id = ${workspaceId} AND v.prompt_id = prompts.id)`
  })
}

/** Maps ids of the source to the ids in this workspace; omits those that do not exist here. */
export async function idsHere(
  db: WorkspaceSql,
  name: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const candidates = new Map(ids.flatMap((id) => [id, ownId(db, id)].map((candidate) => [candidate, id])))
  const rows = await ask(
    db.sql,
    [`SELECT id FROM ${name} WHERE workspace_id = `, ' AND id IN (', ')'],
    [db.workspaceId, [...candidates.keys()]],
  )
  return new Map(rows.map(({ id }) => [candidates.get(String(id))!, String(id)]))
}

/** Replaces ids that another workspace uses with those that `ownId` derives. */
async function withOwnIds(
  { sql, workspaceId }: WorkspaceSql,
  name: string,
  { hasId }: BundledTable,
  rowsWithPlaces: readonly PlacedRow[],
): Promise<readonly PlacedRow[]> {
  if (!hasId) return rowsWithPlaces
  const takenRows = await ask(
    sql,
    [`SELECT id FROM ${name} WHERE workspace_id <> `, ' AND id IN (', ')'],
    [workspaceId, rowsWithPlaces.map(({ row }) => String(row.id))],
  )
  const takenIds = new Set(takenRows.map(({ id }) => id))
  return rowsWithPlaces.map(({ index, row }) =>
    takenIds.has(row.id!)
      ? { index, row: { ...row, id: ownId({ workspaceId }, String(row.id)) } }
      : { index, row },
  )
}

/** Rows whose parents exist here, with references mapped to local names; the others are rejected. */
async function withParents(
  tx: WorkspaceSql,
  { parents }: BundledTable,
  rowsWithPlaces: readonly PlacedRow[],
): Promise<{ placeable: readonly PlacedRow[]; leftOut: RowLeftOut[] }> {
  let placeable = rowsWithPlaces
  const leftOut: RowLeftOut[] = []
  for (const { column, table, parentKey } of parents) {
    const names = [
      ...new Set(placeable.flatMap(({ row }) => (row[column] == null ? [] : String(row[column])))),
    ]
    const here = parentKey === 'slug' ? await slugsHere(tx, table, names) : await idsHere(tx, table, names)
    placeable = placeable.flatMap(({ index, row }) => {
      if (row[column] == null) return [{ index, row }]
      const name = String(row[column])
      const nameHere = here.get(name)
      if (nameHere !== undefined) return [{ index, row: { ...row, [column]: nameHere } }]
      leftOut.push({
        rowIndex: index,
        reason: `${column}: refers to a row of ${table} that does not exist here`,
        missingParent: { table, name },
      })
      return []
    })
  }
  return { placeable, leftOut }
}

async function slugsHere(
  { sql, workspaceId }: WorkspaceSql,
  table: string,
  slugs: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ask(
    sql,
    [`SELECT slug FROM ${table} WHERE workspace_id = `, ' AND slug IN (', ')'],
    [workspaceId, slugs],
  )
  return new Map(rows.map(({ slug }) => [String(slug), String(slug)]))
}

/** A UUID (version 8) derived from the workspace and an id. */
function ownId({ workspaceId }: Pick<WorkspaceSql, 'workspaceId'>, id: string): string {
  const hex = createHash('sha256').update(`${workspaceId} ${id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Runs a statement with table and column names from `bundledTables` and bound values. */
function ask(sql: Sql, strings: string[], values: SqlValue[]): Promise<BundledRow[]> {
  return sql<BundledRow>(Object.assign(strings, { raw: strings }), ...values)
}
