/**
 * Password links and invitations rely on the permissions of their creator and their subject at the time they were
 * created. If those of either change, they end.
 */
import { type Role, roles } from '@plumbline/contract'
import type { Sql } from '../store/sql.ts'

/** Locks people on PostgreSQL, in a fixed order, which serializes changes to their links and permissions. */
export async function lockPeople(sql: Sql, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].toSorted())
    await sql`UPDATE people SET updated_at = updated_at WHERE id = ${id}`
}

/** The same for a member of a workspace. */
const lockMember = (sql: Sql, personId: string, workspaceId: string) => sql`
  UPDATE people SET updated_at = updated_at WHERE id IN (
    SELECT person_id FROM members WHERE workspace_id = ${workspaceId} AND person_id = ${personId})`

/** Ends the password links of a user who has gained permissions since they were created. */
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

/** The creator of links and invitations in a workspace: a member with a role, or an API key. */
interface Maker {
  readonly makerId: string
  readonly workspaceId: string
  readonly role: string
}

/** The role that an API key with the scope `manage` counts as. */
export const roleOfKeys: Role = 'admin'

/**
 * Ends the links and invitations of a creator who has lost permissions in a workspace; members below admin could create
 * none. A link does not store its creator, so this ends all links that this member could have created.
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
