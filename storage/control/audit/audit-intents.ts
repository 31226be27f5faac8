/**
 * Ties an audit entry to the change that it records. An audited request runs in a scope; its first transaction or
 * single statement that changes something also writes an intent with what is known of the entry, and commits both
 * together. The entry replaces the intent once the request has ended. If the service stops in between, the intent is
 * left and becomes an entry.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Sql } from '../store/sql.ts'
import { type AuditEntry, insertEntry } from './audit-rows.ts'

export interface AuditIntent {
  readonly entry: AuditEntry
  /** Whether a transaction with it has been committed. */
  isWritten: boolean
  /** Whether the request has ended: work it left running writes no intent in its name. */
  isOver: boolean
}

const scope = new AsyncLocalStorage<AuditIntent>()

/** Runs the work of a request, whose first transaction writes the intent. */
export const withAuditIntent = <Result>(intent: AuditIntent, work: () => Promise<Result>): Promise<Result> =>
  scope.run(intent, work).finally(() => {
    intent.isOver = true
  })

/** The same database, where changes by audited requests commit together with the intent. */
export function writingIntents(database: Database): Database {
  /** Commits the intent together with the work, unless the work changed nothing. */
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
      const returnsRows = strings.some((part) => part.includes('RETURNING'))
      return write(
        intent,
        (sql) => sql(strings, ...values),
        (rows) => !returnsRows || rows.length > 0,
      )
    },
    transaction(work, durability) {
      const intent = intentToWrite()
      // Transactions with deferred durability are for internal records and change nothing that users edit.
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

/** Whether a single statement changes data. */
const isChange = ([start = '']: TemplateStringsArray): boolean => /^\s*(?:INSERT|UPDATE|DELETE)\b/.test(start)

const insertIntent = (sql: Sql, entry: AuditEntry) => sql`
  INSERT INTO audit_intents (id, workspace_id, created_at, entry)
  VALUES (${entry.id}, ${entry.workspaceId}, ${entry.time.getTime()}, ${JSON.stringify(entry)})
  ON CONFLICT (id) DO NOTHING`

/** Turns intents into entries if the service stopped before writing the entry. */
export function recoverIntents(
  database: Database,
  cutoff: Date,
  onEntry: (sql: Sql, entry: AuditEntry) => Promise<void>,
): Promise<number> {
  return database.transaction(async (sql) => {
    const rows = await sql<{ entry: string }>`
      DELETE FROM audit_intents WHERE created_at < ${cutoff.getTime()} RETURNING entry`
    for (const { entry: text } of rows) {
      // Safe: only entries are written there, with the time as a JSON string.
      const storedEntry = JSON.parse(text) as Omit<AuditEntry, 'time'> & { readonly time: string }
      const entry = { ...storedEntry, time: new Date(storedEntry.time), outcome: 'interrupted' }
      if (await insertEntry(sql, entry)) await onEntry(sql, entry)
    }
    return rows.length
  })
}
