import { LastOwner } from '../errors.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { endLinksToMember, endWorkOf, rankOf } from './power-of-links.ts'

/** A person in a workspace. */
export type Member = { id: string; name: string; email: string; role: string; joinedAt: Date }

type MemberRow = { id: string; name: string; email: string; role: string; joined_at: number }

/** Every member, in the order they joined, by the primary key. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Member[]> {
  const rows = await sql<MemberRow>`
    SELECT p.id, p.name, p.email, m.role, m.joined_at FROM members m JOIN people p ON p.id = m.person_id
    WHERE m.workspace_id = ${workspaceId} ORDER BY m.joined_at, p.id`
  return rows.map(toMember)
}

/** One member, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceSql, id: string): Promise<Member | undefined> {
  const rows = await sql<MemberRow>`
    SELECT p.id, p.name, p.email, m.role, m.joined_at FROM members m JOIN people p ON p.id = m.person_id
    WHERE m.workspace_id = ${workspaceId} AND m.person_id = ${id}`
  return rows.map(toMember)[0]
}

/** Checks the member within the transaction; throwing leaves the member unchanged. */
type MemberCheck = (member: Member) => void

/** Changes a member's role; throws `LastOwner` if no owner would be left. */
export function update(
  db: WorkspaceDb,
  id: string,
  role: string,
  check?: MemberCheck,
): Promise<Member | undefined> {
  return db.mutate(async (tx) => {
    const member = await find(tx, id)
    if (member === undefined) return undefined
    check?.(member)
    if (role !== 'owner') await refuseLastOwner(tx, member)
    const { sql, workspaceId } = tx
    if (rankOf(role) > rankOf(member.role)) await endLinksToMember(sql, { personId: id, workspaceId })
    if (rankOf(role) < rankOf(member.role))
      await endWorkOf(sql, { makerId: id, workspaceId, role: member.role })
    await sql`UPDATE members SET role = ${role} WHERE workspace_id = ${workspaceId} AND person_id = ${id}`
    return { ...member, role }
  })
}

/** Removes a member; throws `LastOwner` if no owner would be left. */
export function remove(db: WorkspaceDb, id: string, check?: MemberCheck): Promise<boolean> {
  return db.mutate(async (tx) => {
    const member = await find(tx, id)
    if (member === undefined) return false
    check?.(member)
    await refuseLastOwner(tx, member)
    await endWorkOf(tx.sql, { makerId: id, workspaceId: tx.workspaceId, role: member.role })
    await tx.sql`DELETE FROM members WHERE workspace_id = ${tx.workspaceId} AND person_id = ${id}`
    return true
  })
}

/** Names of users and API keys by id, including former members and deleted accounts. */
export async function names(
  { sql, workspaceId }: WorkspaceDb,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; name: string }>`
    SELECT id, name FROM api_keys WHERE workspace_id = ${workspaceId} AND id IN (${ids})
    UNION ALL SELECT id, name FROM people WHERE id IN (${ids})
    UNION ALL SELECT id, name FROM deleted_people WHERE id IN (${ids})`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function refuseLastOwner({ sql, workspaceId }: WorkspaceSql, member: Member): Promise<void> {
  if (member.role !== 'owner') return
  const otherOwners = await sql<{ person_id: string }>`
    SELECT m.person_id FROM members m JOIN people p ON p.id = m.person_id
    WHERE m.workspace_id = ${workspaceId} AND m.role = ${'owner'} AND m.person_id <> ${member.id}
      AND p.locked_at IS NULL LIMIT 1`
  if (otherOwners.length === 0) throw new LastOwner()
}

const toMember = ({ joined_at, ...row }: MemberRow): Member => ({ ...row, joinedAt: new Date(joined_at) })
