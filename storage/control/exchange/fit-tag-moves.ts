/**
 * An existing tag keeps its version. A tag's version always equals its last move, so later moves of it in a bundle are
 * not imported. `latest` is set automatically and follows the newest version.
 */
import type { WorkspaceSql } from '../store/workspace.ts'
import type { PlacedRow } from './bundle.ts'

/**
 * The moves that may be stored, with their prompts resolved: leaves out tags whose history here already ends at their
 * current version.
 */
export async function fitTagMoves(
  { sql, workspaceId }: WorkspaceSql,
  rows: readonly PlacedRow[],
): Promise<readonly PlacedRow[]> {
  const promptIds = [...new Set(rows.map(({ row }) => String(row.prompt_id)))]
  if (promptIds.length === 0) return rows
  // Served by the primary key.
  const settled = await sql<{ prompt_id: string; label: string }>`
    SELECT t.prompt_id, t.label FROM prompt_tags t
    JOIN prompt_tag_moves m ON m.prompt_id = t.prompt_id AND m.label = t.label AND m.to_version = t.version
    WHERE t.workspace_id = ${workspaceId} AND t.prompt_id IN (${promptIds}) AND t.label <> 'latest'
      AND m.ordinal = (
        SELECT max(ordinal) FROM prompt_tag_moves l WHERE l.prompt_id = t.prompt_id AND l.label = t.label)`
  const settledKeys = new Set(settled.map(({ prompt_id, label }) => `${prompt_id} ${label}`))
  return rows.filter(({ row }) => !settledKeys.has(`${row.prompt_id} ${row.label}`))
}

/** Moves `latest` to the newest version of each prompt, by the unique key. */
export async function moveLatest(
  { sql, workspaceId }: WorkspaceSql,
  promptIds: readonly string[],
): Promise<void> {
  await sql`
    UPDATE prompt_tags SET version = (
      SELECT v.version FROM prompt_versions v
      WHERE v.workspace_id = ${workspaceId} AND v.prompt_id = prompt_tags.prompt_id ORDER BY v.ordinal DESC LIMIT 1)
    WHERE workspace_id = ${workspaceId} AND prompt_id IN (${promptIds}) AND label = 'latest'`
}
