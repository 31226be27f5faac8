import { TagProtected } from '../errors.ts'
import type { WorkspaceSql } from '../store/workspace.ts'

/** The tags that can be moved only by approval, by name. */
export async function protectedTags({ sql, workspaceId }: WorkspaceSql): Promise<string[]> {
  const rows = await sql<{ label: string }>`
    SELECT label FROM protected_tags WHERE workspace_id = ${workspaceId} ORDER BY label`
  return rows.map(({ label }) => label)
}

/** Throws `TagProtected` for a protected tag, by primary key. */
export async function requireUnprotected({ sql, workspaceId }: WorkspaceSql, label: string): Promise<void> {
  const [row] = await sql<{ label: string }>`
    SELECT label FROM protected_tags WHERE workspace_id = ${workspaceId} AND label = ${label}`
  if (row !== undefined) throw new TagProtected(label)
}
