/**
 * The accounts of the installation, for its operators. Every workspace keeps an owner who can sign in: an operator who
 * locks or deletes the account of the last one must take over the workspace, or the operation is rejected.
 */
import type { Page, PageRequest } from '../store/page.ts'
import { afterAll, pageOf, rowsToRead } from '../store/page.ts'
import type { Database, Sql } from '../store/sql.ts'
import { addMember, type Membership, memberships, membershipsOf } from './people.ts'
import { endLinksTo, endWorkOf } from './power-of-links.ts'

export type Account = {
  id: string
  name: string
  email: string
  createdAt: Date
  /** Absent unless it is locked. */
  lockedAt: Date | undefined
  /** The last use of a session, to the hour; absent if there is none. */
  usedAt: Date | undefined
  /** How the person signs in: `credential`, or the identity provider. */
  providers: string[]
  memberships: Membership[]
}

/** Workspaces that would be left without an owner who can sign in. */
export class OwnerNeeded extends Error {
  override readonly name = 'OwnerNeeded'
  readonly workspaces: readonly Membership[]

  constructor(workspaces: readonly Membership[]) {
    super(
      `Without this account, nobody owns ${workspaces.map(({ workspaceName }) => workspaceName).join(', ')}.`,
    )
    this.workspaces = workspaces
  }
}

/** The operator and the time; `takesOver` makes the operator an owner of workspaces that would lose their last one. */
export type AccountChange = { readonly actorId: string; readonly takesOver: boolean; readonly now: Date }

type AccountRow = { id: string; name: string; email: string; created_at: number; locked_at: number | null }

/** Accounts whose name or address contains `q`, newest first. Scans all accounts: there are few. */
export async function list(
  sql: Sql,
  { q = '', limit, after = afterAll }: PageRequest & { readonly q?: string | undefined },
): Promise<Page<Account>> {
  const pattern = `%${q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const rows = await sql<AccountRow>`
    SELECT id, name, email, created_at, locked_at FROM people
    WHERE (created_at, id) < (${after.position}, ${after.id})
      AND (LOWER(name) LIKE ${pattern} ESCAPE ${'\\'} OR email LIKE ${pattern} ESCAPE ${'\\'})
    ORDER BY created_at DESC, id DESC LIMIT ${rowsToRead(limit)}`
  const page = pageOf(rows, limit, ({ created_at, id }) => ({ position: created_at, id }))
  const items = await toAccounts(sql, page.rows)
  return page.next === undefined ? { items } : { items, next: page.next }
}

/** One account, by primary key. */
export async function find(sql: Sql, id: string): Promise<Account | undefined> {
  const row = await findRow(sql, id)
  return row && (await toAccounts(sql, [row]))[0]
}

/** Whether an account is locked, by primary key. */
export async function isLocked(sql: Sql, id: string): Promise<boolean> {
  const row = await findRow(sql, id)
  return row !== undefined && row.locked_at !== null
}

/** Locks an account and ends its sessions and links; throws `OwnerNeeded`. False if the account does not exist. */
export function lock(database: Database, id: string, change: AccountChange): Promise<boolean> {
  return database.transaction(async (sql) => {
    if ((await findRow(sql, id)) === undefined) return false
    await keepOwners(sql, id, change)
    await sql`UPDATE people SET locked_at = ${change.now.getTime()} WHERE id = ${id} AND locked_at IS NULL`
    await sql`DELETE FROM person_sessions WHERE person_id = ${id}`
    await endLinksTo(sql, id)
    for (const { workspaceId, role } of await memberships(sql, id))
      await endWorkOf(sql, { makerId: id, workspaceId, role })
    return true
  })
}

/** Unlocks an account. False if it does not exist. */
export async function unlock(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`UPDATE people SET locked_at = NULL WHERE id = ${id} RETURNING id`
  return rows.length === 1
}

/** Deletes an account with its credentials, sessions and memberships; keeps the name. Throws `OwnerNeeded`. */
export function remove(database: Database, id: string, change: AccountChange): Promise<boolean> {
  return database.transaction(async (sql) => {
    const row = await findRow(sql, id)
    if (row === undefined) return false
    await keepOwners(sql, id, change)
    await sql`
      UPDATE workspaces SET revision = revision + 1
      WHERE id IN (SELECT workspace_id FROM members WHERE person_id = ${id})`
    await sql`DELETE FROM person_sessions WHERE person_id = ${id}`
    await endLinksTo(sql, id)
    for (const { workspaceId, role } of await memberships(sql, id))
      await endWorkOf(sql, { makerId: id, workspaceId, role })
    await sql`DELETE FROM person_accounts WHERE person_id = ${id}`
    await sql`DELETE FROM members WHERE person_id = ${id}`
    await sql`DELETE FROM people WHERE id = ${id}`
    await sql`
      INSERT INTO deleted_people (id, name, deleted_at) VALUES (${id}, ${row.name}, ${change.now.getTime()})`
    return true
  })
}

/** Ensures that each workspace the account owns has another owner who can sign in. */
async function keepOwners(sql: Sql, id: string, { actorId, takesOver, now }: AccountChange): Promise<void> {
  const ownedWorkspaces = (await memberships(sql, id)).filter(({ role }) => role === 'owner')
  const ids = ownedWorkspaces.map(({ workspaceId }) => workspaceId)
  // Locking these rows in a fixed order serializes ownership changes on PostgreSQL without deadlocks.
  for (const workspaceId of ids.toSorted())
    await sql`UPDATE workspaces SET revision = revision + 1 WHERE id = ${workspaceId}`
  const rows = await sql<{ workspace_id: string }>`
    SELECT DISTINCT m.workspace_id FROM members m JOIN people p ON p.id = m.person_id
    WHERE m.workspace_id IN (${ids}) AND m.role = ${'owner'} AND m.person_id <> ${id} AND p.locked_at IS NULL`
  const keptIds = new Set(rows.map(({ workspace_id }) => workspace_id))
  const orphans = ownedWorkspaces.filter(({ workspaceId }) => !keptIds.has(workspaceId))
  if (orphans.length === 0) return
  if (!takesOver || actorId === id) throw new OwnerNeeded(orphans)
  for (const { workspaceId } of orphans) {
    await addMember(sql, { workspaceId, personId: actorId, role: 'owner' }, now)
    await sql`UPDATE members SET role = ${'owner'} WHERE workspace_id = ${workspaceId} AND person_id = ${actorId}`
  }
}

async function findRow(sql: Sql, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow>`
    SELECT id, name, email, created_at, locked_at FROM people WHERE id = ${id}`
  return row
}

async function toAccounts(sql: Sql, rows: readonly AccountRow[]): Promise<Account[]> {
  const ids = rows.map(({ id }) => id)
  const providerRows = await sql<{ person_id: string; provider_id: string }>`
    SELECT DISTINCT person_id, provider_id FROM person_accounts WHERE person_id IN (${ids}) ORDER BY provider_id`
  const useRows = await sql<{ person_id: string; used_at: number }>`
    SELECT person_id, MAX(updated_at) AS used_at FROM person_sessions WHERE person_id IN (${ids}) GROUP BY person_id`
  const providers = Map.groupBy(providerRows, ({ person_id }) => person_id)
  const usedAt = new Map(useRows.map(({ person_id, used_at }) => [person_id, new Date(used_at)]))
  const membershipsByPerson = await membershipsOf(sql, ids)
  return rows.map(({ id, name, email, created_at, locked_at }) => ({
    id,
    name,
    email,
    createdAt: new Date(created_at),
    lockedAt: locked_at === null ? undefined : new Date(locked_at),
    usedAt: usedAt.get(id),
    providers: (providers.get(id) ?? []).map(({ provider_id }) => provider_id),
    memberships: membershipsByPerson.get(id) ?? [],
  }))
}
