import { NotFound } from '../errors.ts'
import { newId } from '../id.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { readable, readTime } from '../unreadable-rows.ts'

/** A link that lets people without an account read a trace. */
export type Share = {
  id: string
  traceId: string
  createdBy: string
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | undefined
}

type ShareRow = {
  id: string
  trace_id: string
  created_by: string
  created_at: number
  expires_at: number
  revoked_at: number | null
}

const sharesMax = 200

/** Adds a link. */
export function create(
  db: WorkspaceDb,
  input: Pick<Share, 'traceId' | 'createdBy' | 'expiresAt'>,
  now: Date,
): Promise<Share> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const id = newId()
    await sql`
      INSERT INTO shares (id, workspace_id, trace_id, created_by, created_at, expires_at)
      VALUES (${id}, ${workspaceId}, ${input.traceId}, ${input.createdBy}, ${now.getTime()},
        ${input.expiresAt.getTime()})`
    return { id, ...input, createdAt: now, revokedAt: undefined }
  })
}

/** The latest links of a trace or of all, newest first, by shares_by_trace. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  traceId: string | null = null,
): Promise<Share[]> {
  const rows = await sql<ShareRow>`
    SELECT id, trace_id, created_by, created_at, expires_at, revoked_at FROM shares
    WHERE workspace_id = ${workspaceId} AND (CAST(${traceId} AS text) IS NULL OR trace_id = ${traceId})
    ORDER BY created_at DESC, id DESC LIMIT ${sharesMax}`
  return readable('shares', rows, toShare)
}

/** One link, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceDb, id: string): Promise<Share | undefined> {
  const rows = await sql<ShareRow>`
    SELECT id, trace_id, created_by, created_at, expires_at, revoked_at FROM shares
    WHERE workspace_id = ${workspaceId} AND id = ${id}`
  return readable('shares', rows, toShare)[0]
}

/** Revokes a link; one that is already revoked keeps its time. */
export function revoke(db: WorkspaceDb, id: string, now: Date): Promise<void> {
  return db.transaction(async ({ sql, workspaceId }) => {
    const [row] = await sql<{ id: string }>`
      UPDATE shares SET revoked_at = COALESCE(revoked_at, ${now.getTime()})
      WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
    if (row === undefined) throw new NotFound('share', id)
  })
}

const toShare = (row: ShareRow): Share => ({
  id: row.id,
  traceId: row.trace_id,
  createdBy: row.created_by,
  createdAt: readTime(row.created_at, 'created_at'),
  expiresAt: readTime(row.expires_at, 'expires_at'),
  revokedAt: row.revoked_at === null ? undefined : readTime(row.revoked_at, 'revoked_at'),
})
