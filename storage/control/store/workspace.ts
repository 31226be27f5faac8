import { NotFound } from '../errors.ts'
import type { Database, Sql, SqlValue } from './sql.ts'

/** SQL scoped to one workspace: every statement must bind the workspace's id. */
export type WorkspaceSql = { readonly sql: Sql; readonly workspaceId: string }

/** The database that the queries of a resource run against. */
export type WorkspaceDb = WorkspaceSql & {
  /** Changes data that caches may hold: bumps the workspace's revision in the same transaction, and serializes writers. */
  mutate<T>(work: (tx: WorkspaceSql) => Promise<T>): Promise<T>
  /** Changes data that no cache holds, such as the ledger: leaves the revision alone and takes no workspace lock. */
  transaction<T>(work: (tx: WorkspaceSql) => Promise<T>): Promise<T>
}

/** The database, narrowed to one workspace. */
export function workspaceDb(database: Database, workspaceId: string): WorkspaceDb {
  const narrow = (sql: Sql): WorkspaceSql => ({ sql: bindingWorkspace(sql, workspaceId), workspaceId })
  return {
    ...narrow(database.sql),
    transaction: (work) => database.transaction((sql) => work(narrow(sql))),
    mutate: (work) =>
      database.transaction(async (sql) => {
        // First, because the lock on this row serializes the workspace's writers on PostgreSQL: later reads see
        // committed data, and writers cannot deadlock.
        const [row] = await sql<{ id: string }>`
          UPDATE workspaces SET revision = revision + 1
          WHERE id = ${workspaceId} AND deleting_at IS NULL RETURNING id`
        if (row === undefined) throw new NotFound('workspace', workspaceId)
        return work(narrow(sql))
      }),
  }
}

/** Rejects a statement that does not bind its workspace: that is a bug, and the first test to run it fails. */
function bindingWorkspace(sql: Sql, workspaceId: string): Sql {
  return <Row extends object>(strings: TemplateStringsArray, ...values: SqlValue[]) => {
    if (!values.flat(2).includes(workspaceId)) {
      throw new Error(`This statement does not bind its workspace: ${strings.join('?')}`)
    }
    return sql<Row>(strings, ...values)
  }
}

/** A resource's queries with the workspace bound. */
export type ScopedResource<Queries> = {
  readonly [Name in keyof Queries]: Queries[Name] extends (
    db: WorkspaceDb,
    ...input: infer Input
  ) => infer Result
    ? (...input: Input) => Result
    : never
}

/** Binds the workspace to every query of a resource's file. */
export function bindWorkspace<Queries extends object>(
  queries: Queries,
  db: WorkspaceDb,
): ScopedResource<Queries> {
  const boundQueries = Object.entries(queries).map(([name, query]) => [name, query.bind(undefined, db)])
  return toScopedResource(Object.fromEntries(boundQueries))
}

/** Safe: Object.fromEntries loses the types, but they are those of the queries without the first parameter. */
function toScopedResource<Queries>(boundQueries: unknown): ScopedResource<Queries> {
  return boundQueries as ScopedResource<Queries>
}
