import { afterAll, type Page, type PageRequest, pageOf, rowsToRead } from '../store/page.ts'
import type { Sql } from '../store/sql.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { type AuditEntryRow, type StoredAuditEntry, toStoredEntry } from './audit-rows.ts'

/** Absent means any. */
export type AuditFilters = {
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  /** The id of the actor, or part of the name. */
  readonly actor?: string | undefined
  readonly operation?: string | undefined
  readonly resource?: string | undefined
  readonly resourceId?: string | undefined
  readonly outcome?: string | undefined
}

/** Entries of a workspace, newest first, by the workspace index. */
export const list = (
  { sql, workspaceId }: WorkspaceDb,
  filters: AuditFilters & PageRequest,
): Promise<Page<StoredAuditEntry>> => listEntries(sql, workspaceId, filters)

/** Entries of one workspace, of the installation ('') or of all (undefined), newest first. */
export async function listEntries(
  sql: Sql,
  workspaceId: string | undefined,
  { limit, after = afterAll, ...filters }: AuditFilters & PageRequest,
): Promise<Page<StoredAuditEntry>> {
  const { actor = '', operation = '', resource = '', resourceId = '', outcome = '' } = filters
  const from = filters.from?.getTime() ?? 0
  const to = filters.to?.getTime() ?? Number.MAX_SAFE_INTEGER
  const namePattern = `%${actor.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  // A flag keeps the statement the same in all cases, so that it is prepared once.
  const isEverywhere = workspaceId === undefined ? 1 : 0
  const entryRows = await sql<AuditEntryRow>`
    SELECT e.id, e.workspace_id, created_at, actor_type, actor_id, actor_name, address, user_agent, operation, resource,
      resource_id, outcome, status, problem, request_id, request_hash, before_state, after_state
    FROM audit_entries e LEFT JOIN audit_states s ON s.entry_id = e.id
    WHERE (CAST(${isEverywhere} AS bigint) = 1 OR e.workspace_id = ${workspaceId ?? ''})
      AND (created_at, e.id) < (${after.position}, ${after.id}) AND created_at >= ${from} AND created_at < ${to}
      AND (CAST(${actor} AS text) = '' OR actor_id = ${actor} OR LOWER(actor_name) LIKE ${namePattern} ESCAPE ${'\\'})
      AND (CAST(${operation} AS text) = '' OR operation = ${operation})
      AND (CAST(${resource} AS text) = '' OR resource = ${resource})
      AND (CAST(${resourceId} AS text) = '' OR resource_id = ${resourceId})
      AND (CAST(${outcome} AS text) = '' OR outcome = ${outcome})
    ORDER BY created_at DESC, e.id DESC LIMIT ${rowsToRead(limit)}`
  const { rows, next } = pageOf(entryRows, limit, (row) => ({ position: row.created_at, id: row.id }))
  return { items: rows.map(toStoredEntry), ...(next === undefined ? {} : { next }) }
}

/** Served by the primary key. */
export async function findEntry(sql: Sql, id: string): Promise<StoredAuditEntry | undefined> {
  const rows = await sql<AuditEntryRow>`
    SELECT e.id, e.workspace_id, created_at, actor_type, actor_id, actor_name, address, user_agent, operation, resource,
      resource_id, outcome, status, problem, request_id, request_hash, before_state, after_state
    FROM audit_entries e LEFT JOIN audit_states s ON s.entry_id = e.id WHERE e.id = ${id}`
  return rows.map(toStoredEntry)[0]
}
