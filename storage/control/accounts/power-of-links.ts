/**
 * Links to a new password and invitations have the power that whoever made them had over their subject at that moment.
 * Where one of the two changes, they end.
 */
import { type Role, roles } from '@plumbline/contract'
import type { Sql } from '../store/sql.ts'

/** Locks people on PostgreSQL, in a fixed order: links to them, and what they may do, change one after another. */
export async function lockPeople(sql: Sql, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].toSorted())
    await sql`UPDATE people SET updated_at = updated_at WHERE id = ${id}`
}

/** The same for a member of a workspace. */
const lockMember = (sql: Sql, personId: string, workspaceId: string) => sql`
  UPDATE people SET updated_at = updated_at WHERE id IN (
    SELECT person_id FROM members WHERE workspace_id = ${workspaceId} AND person_id = ${personId})`

/** Ends the links to a new password of somebody who may do more than when they were made. */
export async function endLinksTo(sql: Sql, personId: string): Promise<void> {
  await lockPeople(sql, [personId])
  await sql`DELETE FROM one_time_links WHERE person_id = ${personId}`
}

/** The same for a member of a workspace. */
export async function endLinksToMember(
  sql: Sql,
  { personId, workspaceId }: { readonly personId: string; readonly workspaceId: string },
): Promise<void> {
  await lockMember(sql, personId, workspaceId)
  await sql`
    DELETE FROM one_time_links WHERE person_id IN (
      SELECT person_id FROM members WHERE workspace_id = ${workspaceId} AND person_id = ${personId})`
}

/** Whoever makes links and invitations in a workspace: a member with a role, or an API key. */
interface Maker {
  readonly makerId: string
  readonly workspaceId: string
  readonly role: string
}

/** What an API key with the scope `manage` counts as. */
export const roleOfKeys: Role = 'admin'

/**
 * Ends what somebody made in a workspace who may do less there now; members below admins could make nothing. A link does
 * not say who made it, so those of all members end that this one could have made.
 */
export async function endWorkOf(sql: Sql, { makerId, workspaceId, role }: Maker): Promise<void> {
  if (rankOf(role) < rankOf('admin')) return
  await lockMember(sql, makerId, workspaceId)
  await sql`
    DELETE FROM one_time_links WHERE person_id IN (SELECT person_id FROM members WHERE workspace_id = ${workspaceId})`
  await sql`DELETE FROM invitations WHERE workspace_id = ${workspaceId} AND created_by = ${makerId}`
}

// Safe: only roles that the contract knows are ever stored.
export const rankOf = (role: string): number => roles.indexOf(role as Role)
