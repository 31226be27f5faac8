import { enqueuePublication } from '../alerts/publication-job.ts'
import { newId } from '../id.ts'
import type { WorkspaceSql } from '../store/workspace.ts'
import { requireUnprotected } from './protected-tags.ts'

/** A tag move: the previous version (absent if the tag is new) and the new one. */
export type TagMove = { id: string; label: string; from: string | undefined; to: string }

type Target = {
  readonly promptId: string
  readonly label: string
  readonly version: string
  readonly movedBy: string | undefined
  readonly now: Date
  /** Whether another user approved the move, which a protected tag requires. */
  readonly isApproved?: boolean
}

/**
 * Points a tag at an existing version and records the move; does nothing if the tag is already there. Ends a running
 * rollout of the tag, whose baseline was the previous version.
 */
export async function moveTag({ sql, workspaceId }: WorkspaceSql, target: Target): Promise<TagMove> {
  const { promptId, label, version, movedBy = null, now } = target
  const [existing] = await sql<{ id: string; version: string }>`
    SELECT id, version FROM prompt_tags
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND label = ${label}`
  const move = { id: existing?.id ?? newId(), label, from: existing?.version, to: version }
  if (move.from === move.to) return move
  if (target.isApproved !== true) await requireUnprotected({ sql, workspaceId }, label)
  await sql`
    INSERT INTO prompt_tags (id, workspace_id, prompt_id, label, version)
    VALUES (${move.id}, ${workspaceId}, ${promptId}, ${label}, ${version})
    ON CONFLICT (prompt_id, label) DO UPDATE SET version = excluded.version`
  const [moved] = await sql<{ ordinal: number }>`
    INSERT INTO prompt_tag_moves
      (prompt_id, ordinal, workspace_id, label, from_version, to_version, moved_at, moved_by)
    VALUES (${promptId}, (SELECT COALESCE(MAX(ordinal), 0) + 1 FROM prompt_tag_moves WHERE prompt_id = ${promptId}),
      ${workspaceId}, ${label}, ${move.from ?? null}, ${version}, ${now.getTime()}, ${movedBy})
    RETURNING ordinal`
  // `latest` follows every new version and publishes nothing.
  if (label !== 'latest') await announce({ sql, workspaceId }, target, move.from, moved!.ordinal)
  await sql`
    UPDATE rollouts SET status = CASE WHEN candidate_version = ${version} THEN 'promoted' ELSE 'stopped' END,
      reason = ${`The tag was moved to ${version}.`}, ended_at = ${now.getTime()}, ended_by = ${movedBy}
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND tag = ${label} AND status = 'running'`
  return move
}

/** Notifies the channels that subscribe to publications. */
async function announce(
  { sql, workspaceId }: WorkspaceSql,
  { promptId, label, version, movedBy, now }: Target,
  previous: string | undefined,
  position: number,
): Promise<void> {
  const [prompt] = await sql<{ slug: string }>`
    SELECT slug FROM prompts WHERE workspace_id = ${workspaceId} AND id = ${promptId}`
  const move = { promptSlug: prompt!.slug, tag: label, from: previous ?? null, to: version }
  const publication = { ...move, movedBy: movedBy ?? null, movedAt: now.getTime() }
  await enqueuePublication({ sql, workspaceId }, publication, position)
}
