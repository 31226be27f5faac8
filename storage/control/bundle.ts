/** All rows of a workspace, table by table, out of one place and into another. */
import { createHash } from 'node:crypto'
import { type BundledTable, bundledTables } from './bundled-tables.ts'
import type { Sql, SqlScalar, SqlValue } from './sql.ts'
import type { WorkspaceDb, WorkspaceSql } from './workspace.ts'

/** A row as it lies in its table, without its workspace. */
export type BundledRow = Readonly<Record<string, SqlScalar>>

/** A row that its table cannot take; the message begins after "the row". */
export class RowMisfits extends Error {
  override readonly name = 'RowMisfits'
}

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

/**
 * Writes rows into one table, as they lie in another place, and answers how many are new. What is there already
 * stays as it is; so does everything of a prompt or dataset whose slug another has here. An id that another workspace
 * has becomes one that is always the same for this workspace, so that rows can come again.
 */
export async function restore(db: WorkspaceDb, name: string, rows: readonly BundledRow[]): Promise<number> {
  const table = bundledTables[name]
  if (table === undefined) throw new RowMisfits(`of "${name}" is of a table that this version does not have`)
  for (const row of rows) checkRow(name, table, row)
  return db.write(async (tx) => {
    const resolved = await withParents(tx, table, await withOwnIds(tx, name, table, rows))
    if (resolved.length === 0) return 0
    const values = resolved.map((row) => [
      tx.workspaceId,
      ...table.columns.map((column) => row[column] ?? null),
    ])
    try {
      const written = await ask(
        tx.sql,
        [
          `INSERT INTO ${name} (workspace_id, ${table.columns.join(', ')}) VALUES `,
          ` ON CONFLICT DO NOTHING RETURNING ${table.key[0]}`,
        ],
        [values],
      )
      return written.length
    } catch (cause) {
      if (/foreign key|not.null/i.test(String(cause)))
        throw new RowMisfits(`of "${name}" does not fit the others`, { cause })
      throw cause
    }
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

function checkRow(name: string, { columns, key }: BundledTable, row: BundledRow): void {
  for (const column of columns) {
    const value = row[column] ?? null
    if (value !== null && typeof value !== 'string' && typeof value !== 'number')
      throw new RowMisfits(`of "${name}" has a "${column}" that is no text and no number`)
  }
  for (const column of key) if (row[column] == null) throw new RowMisfits(`of "${name}" has no "${column}"`)
}

/** Ids that another workspace has are replaced; `ownId` makes the same of them each time. */
async function withOwnIds(
  { sql, workspaceId }: WorkspaceSql,
  name: string,
  { hasId }: BundledTable,
  rows: readonly BundledRow[],
): Promise<BundledRow[]> {
  if (!hasId) return [...rows]
  const taken = await ask(
    sql,
    [`SELECT id FROM ${name} WHERE workspace_id <> `, ' AND id IN (', ')'],
    [workspaceId, rows.map(({ id }) => String(id))],
  )
  const others = new Set(taken.map(({ id }) => id))
  return rows.map((row) =>
    others.has(row.id!) ? { ...row, id: ownId({ workspaceId }, String(row.id)) } : row,
  )
}

/** Rows whose parents are here, naming them as they are called here; the rest is left out. */
async function withParents(
  tx: WorkspaceSql,
  { parents }: BundledTable,
  rows: BundledRow[],
): Promise<BundledRow[]> {
  let kept = rows
  for (const { column, table, by } of parents) {
    const named = [...new Set(kept.flatMap((row) => (row[column] == null ? [] : String(row[column]))))]
    if (by === 'slug') {
      const found = await ask(
        tx.sql,
        [`SELECT slug FROM ${table} WHERE workspace_id = `, ' AND slug IN (', ')'],
        [tx.workspaceId, named],
      )
      const slugs = new Set(found.map(({ slug }) => slug))
      kept = kept.filter((row) => row[column] == null || slugs.has(row[column]!))
      continue
    }
    const here = await idsHere(tx, table, named)
    kept = kept.flatMap((row) => {
      const id = here.get(String(row[column]))
      return id === undefined ? [] : [{ ...row, [column]: id }]
    })
  }
  return kept
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
