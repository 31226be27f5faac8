/** Protected tags, and requested moves of them. */
import { newId } from '../id.ts'
import { requirePrompt, requireVersion } from '../require-parent.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { moveTag } from './move-tag.ts'
import { protectedTags } from './protected-tags.ts'

export type ApprovalStatus = 'pending' | 'approved' | 'rejected'

/** A requested move. */
export type Approval = {
  id: string
  promptSlug: string
  tag: string
  from: string | undefined
  version: string
  message: string
  status: ApprovalStatus
  requestedBy: string
  requestedAt: Date
  decidedBy: string | undefined
  decidedAt: Date | undefined
  reason: string
}

export type NewApproval = Readonly<
  Pick<Approval, 'promptSlug' | 'tag' | 'version' | 'message' | 'requestedBy'>
>

export type Decision = {
  readonly isApproved: boolean
  readonly reason: string
  /** Id of the person. */
  readonly decidedBy: string
}

type ApprovalRow = {
  id: string
  slug: string
  tag: string
  from_version: string | null
  version: string
  message: string
  status: ApprovalStatus
  requested_by: string
  requested_at: number
  decided_by: string | null
  decided_at: number | null
  reason: string
}

const approvalsMax = 200
const replaced = 'A newer request replaced it.'

/** The protected tags, by name. */
export const tags = (db: WorkspaceDb): Promise<string[]> => protectedTags(db)

/** Replaces the protected tags. Pending requests for a tag that is no longer protected stay, and can be decided. */
export function configure(db: WorkspaceDb, labels: readonly string[]): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    await sql`DELETE FROM protected_tags WHERE workspace_id = ${workspaceId}`
    for (const label of labels)
      await sql`INSERT INTO protected_tags (workspace_id, label) VALUES (${workspaceId}, ${label})`
  })
}

/** Requests a move; undefined if the tag is not protected. A pending request for the same tag is rejected. */
export function create(db: WorkspaceDb, input: NewApproval, now: Date): Promise<Approval | undefined> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const promptId = await requirePrompt(tx, input.promptSlug)
    if (!(await protectedTags(tx)).includes(input.tag)) return undefined
    await requireVersion(tx, promptId, input.version)
    const [carrier] = await sql<{ version: string }>`
      SELECT version FROM prompt_tags
      WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND label = ${input.tag}`
    await sql`
      UPDATE approvals SET status = 'rejected', decided_at = ${now.getTime()}, reason = ${replaced}
      WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND tag = ${input.tag} AND status = 'pending'`
    const id = newId()
    await sql`
      INSERT INTO approvals (id, workspace_id, prompt_id, tag, from_version, version, message, status, requested_by,
        requested_at, reason)
      VALUES (${id}, ${workspaceId}, ${promptId}, ${input.tag}, ${carrier?.version ?? null}, ${input.version},
        ${input.message}, 'pending', ${input.requestedBy}, ${now.getTime()}, '')`
    return find({ ...db, ...tx }, id)
  })
}

/** The latest requests, newest first, by approvals_by_age. */
export async function list(
  { sql, workspaceId }: WorkspaceDb,
  { promptSlug = null, status = null }: { promptSlug?: string | null; status?: ApprovalStatus | null },
): Promise<Approval[]> {
  const rows = await sql<ApprovalRow>`
    SELECT a.id, p.slug, a.tag, a.from_version, a.version, a.message, a.status, a.requested_by, a.requested_at,
      a.decided_by, a.decided_at, a.reason
    FROM approvals a JOIN prompts p ON p.id = a.prompt_id
    WHERE a.workspace_id = ${workspaceId}
      AND (CAST(${promptSlug} AS text) IS NULL OR p.slug = ${promptSlug})
      AND (CAST(${status} AS text) IS NULL OR a.status = ${status})
    ORDER BY a.requested_at DESC, a.id DESC LIMIT ${approvalsMax}`
  return rows.map(toApproval)
}

/** One request, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceDb, id: string): Promise<Approval | undefined> {
  const rows = await sql<ApprovalRow>`
    SELECT a.id, p.slug, a.tag, a.from_version, a.version, a.message, a.status, a.requested_by, a.requested_at,
      a.decided_by, a.decided_at, a.reason
    FROM approvals a JOIN prompts p ON p.id = a.prompt_id
    WHERE a.workspace_id = ${workspaceId} AND a.id = ${id}`
  return rows.map(toApproval)[0]
}

/** Decides a pending request and moves the tag if it is approved; false if it was already decided. All or nothing. */
export function decide(db: WorkspaceDb, id: string, decision: Decision, now: Date): Promise<boolean> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    const { isApproved, reason, decidedBy } = decision
    const [row] = await sql<{ prompt_id: string; tag: string; version: string }>`
      UPDATE approvals SET status = ${isApproved ? 'approved' : 'rejected'}, decided_by = ${decidedBy},
        decided_at = ${now.getTime()}, reason = ${reason}
      WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'pending'
      RETURNING prompt_id, tag, version`
    if (row === undefined) return false
    if (!isApproved) return true
    const { prompt_id: promptId, tag: label, version } = row
    await moveTag(tx, { promptId, label, version, movedBy: decidedBy, now, isApproved: true })
    return true
  })
}

const toApproval = (row: ApprovalRow): Approval => ({
  id: row.id,
  promptSlug: row.slug,
  tag: row.tag,
  from: row.from_version ?? undefined,
  version: row.version,
  message: row.message,
  status: row.status,
  requestedBy: row.requested_by,
  requestedAt: new Date(row.requested_at),
  decidedBy: row.decided_by ?? undefined,
  decidedAt: row.decided_at === null ? undefined : new Date(row.decided_at),
  reason: row.reason,
})
