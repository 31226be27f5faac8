/** All rows of a workspace, table by table, out of one place and into another. */
import { createHash } from 'node:crypto'
import { type BundledTable, bundledTables } from './bundled-tables.ts'
import type { Sql, SqlScalar, SqlValue } from './sql.ts'
import type { WorkspaceDb, WorkspaceSql } from './workspace.ts'

/** A row as it lies in its table, without its workspace. */
export type BundledRow = Readonly<Record<string, SqlScalar>>

/** A row that was left out, by its place among those that came, and why. */
export type RowLeftOut = {
  readonly at: number
  readonly reason: string
  /** The row of another table that it names and that is not here, as it is called where the rows come from. */
  readonly missing?: { readonly table: string; readonly name: string }
}

export type RestoredRows = { readonly added: number; readonly leftOut: readonly RowLeftOut[] }

const rowsPerRead = 500

/** Every row of one table, in the order of its key, which serves the pages. */
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

/** A row on its way into a table, with its place among those that came. */
type PlacedRow = { readonly at: number; readonly row: BundledRow }

/**
 * Writes rows into one table, as they lie in another place, and tells how many are new and which it cannot take. What is
 * there already stays as it is. An id that another workspace has becomes one that is always the same for this
 * workspace, so that rows can come again.
 */
export async function restore(
  db: WorkspaceDb,
  name: string,
  rows: readonly BundledRow[],
): Promise<RestoredRows> {
  const placed = rows.map((row, at) => ({ at, row }))
  try {
    return await restoreTogether(db, name, placed)
  } catch (error) {
    if (!misfits(error)) throw error
  }
  // One of them names what is not here: each by itself, so that the others are taken.
  let added = 0
  const leftOut: RowLeftOut[] = []
  for (const one of placed) {
    try {
      const result = await restoreTogether(db, name, [one])
      added += result.added
      leftOut.push(...result.leftOut)
    } catch (error) {
      if (!misfits(error)) throw error
      leftOut.push({ at: one.at, reason: 'does not fit the rows that are here' })
    }
  }
  return { added, leftOut }
}

const misfits = (error: unknown): boolean => /foreign key|not.null/i.test(String(error))

function restoreTogether(db: WorkspaceDb, name: string, placed: readonly PlacedRow[]): Promise<RestoredRows> {
  const table = bundledTables[name]!
  return db.write(async (tx) => {
    const { kept, leftOut } = await withParents(tx, table, await withOwnIds(tx, name, table, placed))
    if (kept.length === 0) return { added: 0, leftOut }
    const values = kept.map(({ row }) => [
      tx.workspaceId,
      ...table.columns.map((column) => row[column] ?? null),
    ])
    const written = await ask(
      tx.sql,
      [
        `INSERT INTO ${name} (workspace_id, ${table.columns.join(', ')}) VALUES `,
        ` ON CONFLICT DO NOTHING RETURNING ${table.key[0]}`,
      ],
      [values],
    )
    return { added: written.length, leftOut }
  })
}

/**
 * Counts anew what datasets and prompts keep of their rows and versions, by primary keys, after rows were restored: not
 * every row that a bundle counts has come. Numbers that were given out are not given out again.
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
  await db.write(async ({ sql, workspaceId }) => {
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

/** Ids as this workspace has them, by those of the place that they come from; those it does not have are left out. */
export async function idsHere(
  db: WorkspaceSql,
  name: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const candidates = new Map(ids.flatMap((id) => [id, ownId(db, id)].map((candidate) => [candidate, id])))
  const found = await ask(
    db.sql,
    [`SELECT id FROM ${name} WHERE workspace_id = `, ' AND id IN (', ')'],
    [db.workspaceId, [...candidates.keys()]],
  )
  return new Map(found.map(({ id }) => [candidates.get(String(id))!, String(id)]))
}

/** Ids that another workspace has are replaced; `ownId` makes the same of them each time. */
async function withOwnIds(
  { sql, workspaceId }: WorkspaceSql,
  name: string,
  { hasId }: BundledTable,
  placed: readonly PlacedRow[],
): Promise<readonly PlacedRow[]> {
  if (!hasId) return placed
  const taken = await ask(
    sql,
    [`SELECT id FROM ${name} WHERE workspace_id <> `, ' AND id IN (', ')'],
    [workspaceId, placed.map(({ row }) => String(row.id))],
  )
  const others = new Set(taken.map(({ id }) => id))
  return placed.map(({ at, row }) =>
    others.has(row.id!) ? { at, row: { ...row, id: ownId({ workspaceId }, String(row.id)) } } : { at, row },
  )
}

/** Rows whose parents are here, naming them as they are called here; the rest is left out. */
async function withParents(
  tx: WorkspaceSql,
  { parents }: BundledTable,
  placed: readonly PlacedRow[],
): Promise<{ kept: readonly PlacedRow[]; leftOut: RowLeftOut[] }> {
  let kept = placed
  const leftOut: RowLeftOut[] = []
  for (const { column, table, by } of parents) {
    const named = [...new Set(kept.flatMap(({ row }) => (row[column] == null ? [] : String(row[column]))))]
    const here = by === 'slug' ? await slugsHere(tx, table, named) : await idsHere(tx, table, named)
    kept = kept.flatMap(({ at, row }) => {
      if (row[column] == null) return [{ at, row }]
      const name = String(row[column])
      const nameHere = here.get(name)
      if (nameHere !== undefined) return [{ at, row: { ...row, [column]: nameHere } }]
      leftOut.push({
        at,
        reason: `${column}: names no row of ${table} that is here`,
        missing: { table, name },
      })
      return []
    })
  }
  return { kept, leftOut }
}

async function slugsHere(
  { sql, workspaceId }: WorkspaceSql,
  table: string,
  named: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ask(
    sql,
    [`SELECT slug FROM ${table} WHERE workspace_id = `, ' AND slug IN (', ')'],
    [workspaceId, named],
  )
  return new Map(rows.map(({ slug }) => [String(slug), String(slug)]))
}

/** A UUID (version 8) that this workspace always makes of an id. */
function ownId({ workspaceId }: Pick<WorkspaceSql, 'workspaceId'>, id: string): string {
  const hex = createHash('sha256').update(`${workspaceId} ${id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Runs a statement whose names of tables and columns come from `bundledTables`, and whose values are bound. */
function ask(sql: Sql, strings: string[], values: SqlValue[]): Promise<BundledRow[]> {
  return sql<BundledRow>(Object.assign(strings, { raw: strings }), ...values)
}
