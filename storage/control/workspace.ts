import { NotFound } from './errors.ts'
import type { Database, Sql, SqlValue } from './sql.ts'

/** One workspace's way to its rows: every statement must bind the workspace's id. */
export type WorkspaceSql = { readonly sql: Sql; readonly workspaceId: string }

/** What the questions of a resource are asked of. */
export type WorkspaceDb = WorkspaceSql & {
  /** Changes what caches may hold: the workspace's revision moves in the same transaction, and writes take turns. */
  write<T>(work: (tx: WorkspaceSql) => Promise<T>): Promise<T>
  /** Writes down what no cache holds, such as the ledger: no revision moves, and nobody waits for a turn. */
  keepBooks<T>(work: (tx: WorkspaceSql) => Promise<T>): Promise<T>
}

/** The database, narrowed to one workspace. */
export function workspaceDb(database: Database, workspaceId: string): WorkspaceDb {
  const narrowed = (sql: Sql): WorkspaceSql => ({ sql: bindingWorkspace(sql, workspaceId), workspaceId })
  return {
    ...narrowed(database.sql),
    keepBooks: (work) => database.transaction((sql) => work(narrowed(sql))),
    write: (work) =>
      database.transaction(async (sql) => {
        // First, because the lock on this row is what makes the workspace's writers take turns on PostgreSQL:
        // what they read after it is settled, and no two of them can wait for each other.
        const [found] = await sql<{ id: string }>`
          UPDATE workspaces SET revision = revision + 1
          WHERE id = ${workspaceId} AND deleting_at IS NULL RETURNING id`
        if (found === undefined) throw new NotFound('workspace', workspaceId)
        return work(narrowed(sql))
      }),
  }
}

/** Refuses a statement that forgets its workspace: such a query is a bug, and the first test to run it fails. */
function bindingWorkspace(sql: Sql, workspaceId: string): Sql {
  return <Row extends object>(strings: TemplateStringsArray, ...values: SqlValue[]) => {
    if (!values.flat(2).includes(workspaceId)) {
      throw new Error(`This statement does not bind its workspace: ${strings.join('?')}`)
    }
    return sql<Row>(strings, ...values)
  }
}

/** A resource's questions with the workspace filled in. */
export type Asked<Questions> = {
  readonly [Name in keyof Questions]: Questions[Name] extends (
    db: WorkspaceDb,
    ...input: infer Input
  ) => infer Answer
    ? (...input: Input) => Answer
    : never
}

/** Fills the workspace into every question of a resource's file. */
export function asked<Questions extends object>(questions: Questions, db: WorkspaceDb): Asked<Questions> {
  const bound = Object.entries(questions).map(([name, question]) => [name, question.bind(undefined, db)])
  return asAsked(Object.fromEntries(bound))
}

/** Object.fromEntries forgets the names and types; they are those of the questions, less the first parameter. */
function asAsked<Questions>(bound: unknown): Asked<Questions> {
  return bound as Asked<Questions>
}
