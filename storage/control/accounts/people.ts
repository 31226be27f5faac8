/**
 * User accounts, which belong to no workspace: sessions, and the links that create accounts, memberships and passwords.
 * Each link works once: its row is deleted in the transaction that uses it.
 */
import { newId } from '../id.ts'
import type { Database, Sql } from '../store/sql.ts'
import { endLinksTo, lockPeople } from './power-of-links.ts'

export type Person = { id: string; name: string; email: string }

/** A workspace with the role of one of its members. */
export type Membership = { workspaceId: string; workspaceName: string; role: string }

/** A signed-in user. `usedAt` is rounded to the hour. */
export type PersonSession = {
  id: string
  person: Person
  expiresAt: Date
  usedAt: Date
  memberships: Membership[]
}

/** An invitation, as shown to the invited person. */
export type OpenInvitation = {
  id: string
  email: string
  role: string
  workspaceId: string
  workspaceName: string
  /** Whether an account with this address exists. */
  isKnown: boolean
}

export type NewPerson = {
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly passwordHash: string
  /** Whether only the inviter vouches for the address. */
  readonly isUnproven?: boolean
}

/** The provider id of e-mail and password. */
const byPassword = 'credential'

/** The session with this token hash, by the unique hash, with all memberships, oldest first. Locked accounts have no sessions. */
export async function findSession(sql: Sql, tokenHash: string): Promise<PersonSession | undefined> {
  const [row] = await sql<Person & { session_id: string; expires_at: number; used_at: number }>`
    SELECT p.id, p.name, p.email, s.id AS session_id, s.expires_at, s.updated_at AS used_at
    FROM person_sessions s JOIN people p ON p.id = s.person_id WHERE s.token_hash = ${tokenHash} AND p.locked_at IS NULL`
  if (row === undefined) return undefined
  const { id, name, email } = row
  return {
    id: row.session_id,
    person: { id, name, email },
    expiresAt: new Date(row.expires_at),
    usedAt: new Date(row.used_at),
    memberships: await memberships(sql, id),
  }
}

/** Updates when a session was last used, by primary key. */
export async function touchSession(sql: Sql, id: string, now: Date): Promise<void> {
  await sql`UPDATE person_sessions SET updated_at = ${now.getTime()} WHERE id = ${id}`
}

/** The workspaces of a person, by members_by_person, the oldest membership first. */
export async function memberships(sql: Sql, personId: string): Promise<Membership[]> {
  return (await membershipsOf(sql, [personId])).get(personId) ?? []
}

/** The same for several people, by their ids; people without memberships are absent. */
export async function membershipsOf(
  sql: Sql,
  personIds: readonly string[],
): Promise<Map<string, Membership[]>> {
  const rows = await sql<{ person_id: string; workspace_id: string; workspace_name: string; role: string }>`
    SELECT m.person_id, m.workspace_id, w.name AS workspace_name, m.role
    FROM members m JOIN workspaces w ON w.id = m.workspace_id
    WHERE m.person_id IN (${personIds}) AND w.deleting_at IS NULL ORDER BY m.joined_at, m.workspace_id`
  const byPerson = Map.groupBy(rows, ({ person_id }) => person_id)
  return new Map(Array.from(byPerson, ([id, personRows]) => [id, personRows.map(toMembership)]))
}

const toMembership = (row: {
  readonly workspace_id: string
  readonly workspace_name: string
  readonly role: string
}): Membership => ({ workspaceId: row.workspace_id, workspaceName: row.workspace_name, role: row.role })

/** Whether any workspace has an owner: until then set-up is open. */
export async function hasOwner(sql: Sql): Promise<boolean> {
  const rows = await sql<{ role: string }>`SELECT role FROM members WHERE role = ${'owner'} LIMIT 1`
  return rows.length === 1
}

/** Adds a one-time link; without a person it opens set-up. */
export async function addLink(
  sql: Sql,
  link: { readonly hash: string; readonly personId?: string; readonly expiresAt?: Date },
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO one_time_links (hash, person_id, created_at, expires_at)
    VALUES (${link.hash}, ${link.personId ?? null}, ${now.getTime()}, ${link.expiresAt?.getTime() ?? null})`
}

export type PasswordLink = {
  readonly hash: string
  readonly personId: string
  readonly expiresAt: Date
  /** The person who creates it; undefined for an API key. */
  readonly makerId: string | undefined
}

/**
 * Adds a password link that one user creates for another, if `mayMake` allows it given the memberships of both; false
 * if not. A concurrent change to the permissions of either commits before this, or waits and then finds the link and
 * ends it.
 */
export function addPasswordLink(
  database: Database,
  { makerId, ...link }: PasswordLink,
  mayMake: (subject: readonly Membership[], maker: readonly Membership[] | undefined) => boolean,
  now: Date,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    await lockPeople(sql, [link.personId, ...(makerId === undefined ? [] : [makerId])])
    const maker = makerId === undefined ? undefined : await membershipsInUse(sql, makerId)
    if (!mayMake(await memberships(sql, link.personId), maker)) return false
    await addLink(sql, link, now)
    return true
  })
}

/** Empty if the account is locked or deleted. */
async function membershipsInUse(sql: Sql, personId: string): Promise<Membership[]> {
  const open = await sql`SELECT id FROM people WHERE id = ${personId} AND locked_at IS NULL`
  return open.length === 0 ? [] : memberships(sql, personId)
}

/** Creates the first owner if the link opens the set-up, and deletes all other set-up links. */
export function setUp(
  database: Database,
  link: { readonly hash: string; readonly workspaceId: string },
  person: NewPerson,
  now: Date,
): Promise<Person | undefined> {
  return database.transaction(async (sql) => {
    const existing =
      await sql`SELECT hash FROM one_time_links WHERE hash = ${link.hash} AND person_id IS NULL`
    if (existing.length === 0) return undefined
    // On PostgreSQL, the second of two concurrent requests waits here and then deletes nothing.
    const deletedLinks = await sql<{
      hash: string
    }>`DELETE FROM one_time_links WHERE person_id IS NULL RETURNING hash`
    if (!deletedLinks.some(({ hash }) => hash === link.hash)) return undefined
    const newPerson = await addPerson(sql, person, now)
    await addMember(sql, { workspaceId: link.workspaceId, personId: newPerson.id, role: 'owner' }, now)
    return newPerson
  })
}

/** The invitation with this token's hash, by its unique hash, if it has not expired. */
export async function findInvitation(sql: Sql, hash: string, now: Date): Promise<OpenInvitation | undefined> {
  const [row] = await sql<{
    id: string
    email: string
    role: string
    workspace_id: string
    workspace_name: string
    person_id: string | null
  }>`
    SELECT i.id, i.email, i.role, i.workspace_id, w.name AS workspace_name, p.id AS person_id
    FROM invitations i JOIN workspaces w ON w.id = i.workspace_id LEFT JOIN people p ON p.email = i.email
    WHERE i.hash = ${hash} AND i.expires_at > ${now.getTime()} AND w.deleting_at IS NULL`
  if (row === undefined) return undefined
  const { id, email, role } = row
  return {
    id,
    email,
    role,
    workspaceId: row.workspace_id,
    workspaceName: row.workspace_name,
    isKnown: row.person_id !== null,
  }
}

/** Accepts an invitation with a new account; undefined if it is no longer valid. */
export function join(
  database: Database,
  invitation: OpenInvitation,
  person: Omit<NewPerson, 'email'>,
  now: Date,
): Promise<Person | undefined> {
  return database.transaction(async (sql) => {
    if (!(await endInvitation(sql, invitation))) return undefined
    const newPerson = await addPerson(sql, { ...person, email: invitation.email, isUnproven: true }, now)
    await addMember(sql, { ...invitation, personId: newPerson.id }, now)
    return newPerson
  })
}

/** Accepts an invitation with an existing account; false if it is no longer valid. */
export function accept(
  database: Database,
  invitation: OpenInvitation,
  personId: string,
  now: Date,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    if (!(await endInvitation(sql, invitation))) return false
    await addMember(sql, { ...invitation, personId }, now)
    return true
  })
}

/** The account whose password a valid link resets, by primary key. */
export async function findLinkOwner(sql: Sql, hash: string, now: Date): Promise<Person | undefined> {
  const [person] = await sql<Person>`
    SELECT p.id, p.name, p.email FROM one_time_links l JOIN people p ON p.id = l.person_id
    WHERE l.hash = ${hash} AND l.expires_at > ${now.getTime()}`
  return person
}

/**
 * The account that may receive a password reset link at this address, by its unique e-mail: it signs in with a
 * password, is not locked, and has received no link since `start`.
 */
export async function findForgetful(sql: Sql, email: string, start: Date): Promise<Person | undefined> {
  const [person] = await sql<Person>`
    SELECT p.id, p.name, p.email FROM people p
    JOIN person_accounts a ON a.person_id = p.id AND a.provider_id = ${byPassword}
    WHERE p.email = ${email} AND p.locked_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM one_time_links l WHERE l.person_id = p.id AND l.created_at > ${start.getTime()})`
  return person
}

/** Resets the password with a link, and ends all sessions of the account. */
export function resetPassword(
  database: Database,
  link: { readonly hash: string; readonly passwordHash: string },
  now: Date,
): Promise<Person | undefined> {
  return database.transaction(async (sql) => {
    const [row] = await sql<{ person_id: string }>`
      DELETE FROM one_time_links WHERE hash = ${link.hash} AND person_id IS NOT NULL AND expires_at > ${now.getTime()}
      RETURNING person_id`
    if (row === undefined) return undefined
    const personId = row.person_id
    await setPassword(sql, personId, link.passwordHash, now)
    await sql`DELETE FROM one_time_links WHERE person_id = ${personId}`
    await sql`DELETE FROM person_sessions WHERE person_id = ${personId}`
    const [person] = await sql<Person>`SELECT id, name, email FROM people WHERE id = ${personId}`
    return person
  })
}

/** Adds a workspace with its first owner; undefined if that account already owns the maximum. */
export function createWorkspace(
  database: Database,
  input: { readonly name: string; readonly ownerId: string; readonly ownedMax: number },
  now: Date,
): Promise<{ id: string; name: string } | undefined> {
  return database.transaction(async (sql) => {
    // Locking this row serializes the requests of one account on PostgreSQL.
    await sql`UPDATE people SET updated_at = updated_at WHERE id = ${input.ownerId}`
    const ownedWorkspaces = (await memberships(sql, input.ownerId)).filter(({ role }) => role === 'owner')
    if (ownedWorkspaces.length >= input.ownedMax) return undefined
    const id = newId()
    await sql`INSERT INTO workspaces (id, name, revision) VALUES (${id}, ${input.name}, 0)`
    await addMember(sql, { workspaceId: id, personId: input.ownerId, role: 'owner' }, now)
    return { id, name: input.name }
  })
}

/** Adds a member and ends the password links to them; an existing member keeps their role. */
export async function addMember(
  sql: Sql,
  member: { readonly workspaceId: string; readonly personId: string; readonly role: string },
  now: Date,
): Promise<void> {
  // Locked first, as in every change of a member: locks in another order could deadlock.
  await sql`UPDATE workspaces SET revision = revision + 1 WHERE id = ${member.workspaceId}`
  await endLinksTo(sql, member.personId)
  await sql`
    INSERT INTO members (workspace_id, person_id, role, joined_at)
    VALUES (${member.workspaceId}, ${member.personId}, ${member.role}, ${now.getTime()})
    ON CONFLICT (workspace_id, person_id) DO NOTHING`
}

/** Deletes expired or idle sessions, and expired links. */
export async function forgetExpired(sql: Sql, now: Date, usedSince: Date): Promise<void> {
  await sql`
    DELETE FROM person_sessions WHERE expires_at < ${now.getTime()} OR updated_at < ${usedSince.getTime()}`
  await sql`DELETE FROM one_time_links WHERE expires_at < ${now.getTime()}`
}

/**
 * Removes sign-in methods that another user may have set up in the name of a person whose address the identity provider
 * now vouches for: the creator of an invitation can open it. Proven sign-in methods, such as those of an owner, stay.
 */
export async function endUnprovenSignIn(sql: Sql, personId: string): Promise<void> {
  const [person] = await sql<{ id: string }>`
    SELECT id FROM people WHERE id = ${personId} AND email_verified = 0`
  if (person === undefined) return
  await sql`DELETE FROM person_accounts WHERE person_id = ${personId} AND provider_id = ${byPassword}`
  await sql`DELETE FROM person_sessions WHERE person_id = ${personId}`
  await endLinksTo(sql, personId)
}

/** Adds an account with a password. */
export async function addPerson(sql: Sql, person: NewPerson, now: Date): Promise<Person> {
  const id = newId()
  await sql`
    INSERT INTO people (id, name, email, email_verified, created_at, updated_at)
    VALUES (${id}, ${person.name}, ${person.email}, ${person.isUnproven === true ? 0 : 1}, ${now.getTime()},
      ${now.getTime()})`
  await setPassword(sql, id, person.passwordHash, now)
  return { id, name: person.name, email: person.email }
}

async function setPassword(sql: Sql, personId: string, passwordHash: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO person_accounts (id, person_id, provider_id, account_id, password, created_at, updated_at)
    VALUES (${newId()}, ${personId}, ${byPassword}, ${personId}, ${passwordHash}, ${now.getTime()}, ${now.getTime()})
    ON CONFLICT (provider_id, account_id) DO UPDATE
    SET password = excluded.password, updated_at = excluded.updated_at`
}

async function endInvitation(sql: Sql, { id }: OpenInvitation): Promise<boolean> {
  const rows = await sql`DELETE FROM invitations WHERE id = ${id} RETURNING id`
  return rows.length === 1
}
