/**
 * What ties an entry of the audit log to the change it is about. A request that is audited runs in a scope; the first
 * transaction or single statement by which it changes something writes what is known of the entry, and commits it with
 * the change. The entry takes its place once the request has ended. If the service stops in between, the intent is
 * there, and becomes an entry.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Sql } from '../store/sql.ts'
import { type AuditEntry, insertEntry } from './audit-rows.ts'

export interface AuditIntent {
  readonly entry: AuditEntry
  /** Whether a transaction with it has been committed. */
  isWritten: boolean
  /** Whether the request has ended: what it started and left behind writes nothing in its name. */
  isOver: boolean
}

const scope = new AsyncLocalStorage<AuditIntent>()

/** Runs what a request does; its first transaction writes the intent. */
export const withAuditIntent = <Result>(intent: AuditIntent, work: () => Promise<Result>): Promise<Result> =>
  scope.run(intent, work).finally(() => {
    intent.isOver = true
  })

/** The same database; what requests that are audited change commits with the intent. */
export function writingIntents(database: Database): Database {
  /** Commits the intent with what the work does, unless it changed nothing. */
  const write = async <Result>(
    intent: AuditIntent,
    work: (sql: Sql) => Promise<Result>,
    hasChanged: (result: Result) => boolean = () => true,
  ): Promise<Result> => {
    let isWritten = false
    const result = await database.transaction(async (sql) => {
      const output = await work(sql)
      isWritten = hasChanged(output)
      if (isWritten) await insertIntent(sql, intent.entry)
      return output
    })
    intent.isWritten ||= isWritten
    return result
  }
  return {
    ...database,
    sql(strings, ...values) {
      const intent = intentToWrite()
      if (intent === undefined || !isChange(strings)) return database.sql(strings, ...values)
      const tellsRows = strings.some((part) => part.includes('RETURNING'))
      return write(
        intent,
        (sql) => sql(strings, ...values),
        (rows) => !tellsRows || rows.length > 0,
      )
    },
    transaction(work, durability) {
      const intent = intentToWrite()
      // A transaction that is durable later does the bookkeeping, and changes nothing that people edit.
      return intent === undefined || durability === 'later'
        ? database.transaction(work, durability)
        : write(intent, work)
    },
  }
}

function intentToWrite(): AuditIntent | undefined {
  const intent = scope.getStore()
  return intent === undefined || intent.isWritten || intent.isOver ? undefined : intent
}

/** Whether a statement that stands alone changes something. */
const isChange = ([start = '']: TemplateStringsArray): boolean => /^\s*(?:INSERT|UPDATE|DELETE)\b/.test(start)

const insertIntent = (sql: Sql, entry: AuditEntry) => sql`
  INSERT INTO audit_intents (id, workspace_id, created_at, entry)
  VALUES (${entry.id}, ${entry.workspaceId}, ${entry.time.getTime()}, ${JSON.stringify(entry)})
  ON CONFLICT (id) DO NOTHING`

/** Intents whose service stopped before it could write the entry become entries. */
export function recoverIntents(
  database: Database,
  cutoff: Date,
  onEntry: (sql: Sql, entry: AuditEntry) => Promise<void>,
): Promise<number> {
  return database.transaction(async (sql) => {
    const rows = await sql<{ entry: string }>`
      DELETE FROM audit_intents WHERE created_at < ${cutoff.getTime()} RETURNING entry`
    for (const { entry: text } of rows) {
      // Safe: only entries are written there, with the time as JSON has it.
      const storedEntry = JSON.parse(text) as Omit<AuditEntry, 'time'> & { readonly time: string }
      const entry = { ...storedEntry, time: new Date(storedEntry.time), outcome: 'interrupted' }
      if (await insertEntry(sql, entry)) await onEntry(sql, entry)
    }
    return rows.length
  })
}
