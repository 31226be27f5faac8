import type { Sql } from '../store/sql.ts'

/** One entry of the audit log, without the settings before and after. */
export type AuditEntry = {
  id: string
  /** Empty for the installation. */
  workspaceId: string
  /** When the request arrived. */
  time: Date
  actor: { readonly type: string; readonly id: string; readonly name: string }
  address: string
  userAgent: string
  operation: string
  resourceId: string
  outcome: string
  /** 0 if there was no response. */
  status: number
  /** The error code; empty without an error. */
  problem: string
  requestId: string
  /** Empty without one. */
  requestHash: string
}

/** JSON texts of the settings before and after. */
export type AuditStates = { readonly before: string | undefined; readonly after: string | undefined }

export type StoredAuditEntry = AuditEntry & AuditStates & { readonly resource: string }

export type AuditEntryRow = {
  id: string
  workspace_id: string
  created_at: number
  actor_type: string
  actor_id: string
  actor_name: string
  address: string
  user_agent: string
  operation: string
  resource: string
  resource_id: string
  outcome: string
  status: number
  problem: string
  request_id: string
  request_hash: string
  before_state: string | null
  after_state: string | null
}

export const toStoredEntry = (row: AuditEntryRow): StoredAuditEntry => ({
  id: row.id,
  workspaceId: row.workspace_id,
  time: new Date(row.created_at),
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  address: row.address,
  userAgent: row.user_agent,
  operation: row.operation,
  resource: row.resource,
  resourceId: row.resource_id,
  outcome: row.outcome,
  status: row.status,
  problem: row.problem,
  requestId: row.request_id,
  requestHash: row.request_hash,
  before: row.before_state ?? undefined,
  after: row.after_state ?? undefined,
})

/** The resource of an operation: `keys` of `keys.create`. */
const resourceOf = (operation: string): string => operation.slice(0, operation.indexOf('.'))

/** Writes an entry unless it already exists; false if it does. */
export async function insertEntry(sql: Sql, entry: AuditEntry, states?: AuditStates): Promise<boolean> {
  const { actor } = entry
  const added = await sql`
    INSERT INTO audit_entries (id, workspace_id, created_at, actor_type, actor_id, actor_name, address, user_agent,
      operation, resource, resource_id, outcome, status, problem, request_id, request_hash)
    VALUES (${entry.id}, ${entry.workspaceId}, ${entry.time.getTime()}, ${actor.type}, ${actor.id}, ${actor.name},
      ${entry.address}, ${entry.userAgent}, ${entry.operation}, ${resourceOf(entry.operation)}, ${entry.resourceId},
      ${entry.outcome}, ${entry.status}, ${entry.problem}, ${entry.requestId}, ${entry.requestHash})
    ON CONFLICT DO NOTHING RETURNING id`
  if (added.length === 0) return false
  if (states?.before !== undefined || states?.after !== undefined)
    await sql`
      INSERT INTO audit_states (entry_id, workspace_id, before_state, after_state)
      VALUES (${entry.id}, ${entry.workspaceId}, ${states.before ?? null}, ${states.after ?? null})`
  return true
}
