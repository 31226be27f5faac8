import { newId } from '../id.ts'
import type { WorkspaceDb } from '../store/workspace.ts'

/** An invitation to a workspace. Only the hash of its token is stored. */
export type Invitation = { id: string; email: string; role: string; createdAt: Date; expiresAt: Date }

export type NewInvitation = {
  /** In lower case. */
  readonly email: string
  readonly role: string
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string
  readonly invitedBy: string
  readonly expiresAt: Date
}

type InvitationRow = { id: string; email: string; role: string; created_at: number; expires_at: number }

/** Adds an invitation, replacing one for the same address, by the unique key. */
export function create(db: WorkspaceDb, input: NewInvitation, now: Date): Promise<Invitation> {
  return db.mutate(async ({ sql, workspaceId }) => {
    await sql`DELETE FROM invitations WHERE workspace_id = ${workspaceId} AND email = ${input.email}`
    const rows = await sql<InvitationRow>`
      INSERT INTO invitations (id, workspace_id, email, role, hash, created_at, created_by, expires_at)
      VALUES (${newId()}, ${workspaceId}, ${input.email}, ${input.role}, ${input.hash}, ${now.getTime()}, ${input.invitedBy},
        ${input.expiresAt.getTime()})
      RETURNING id, email, role, created_at, expires_at`
    return rows.map(toInvitation)[0]!
  })
}

/** Pending invitations, newest first, by the unique key's first column. */
export async function list({ sql, workspaceId }: WorkspaceDb, now: Date): Promise<Invitation[]> {
  const rows = await sql<InvitationRow>`
    SELECT id, email, role, created_at, expires_at FROM invitations
    WHERE workspace_id = ${workspaceId} AND expires_at > ${now.getTime()} ORDER BY created_at DESC, id DESC`
  return rows.map(toInvitation)
}

/** Withdraws an invitation, by primary key; false if the workspace has none with this id. */
export function remove(db: WorkspaceDb, id: string): Promise<boolean> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql`
      DELETE FROM invitations WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    return rows.length === 1
  })
}

const toInvitation = ({ created_at, expires_at, ...row }: InvitationRow): Invitation => ({
  ...row,
  createdAt: new Date(created_at),
  expiresAt: new Date(expires_at),
})
