import { NotFound } from './errors.ts'
import { find as findFeature } from './prompts/features.ts'
import type { WorkspaceSql } from './store/workspace.ts'

/** Rejects the slug of a missing feature. */
export async function requireFeature(tx: WorkspaceSql, slug: string): Promise<void> {
  if ((await findFeature(tx, slug)) === undefined) throw new NotFound('feature', slug)
}

/** The prompt's id, by its unique slug; rejects the slug of a missing prompt. */
export async function requirePrompt({ sql, workspaceId }: WorkspaceSql, slug: string): Promise<string> {
  const [prompt] = await sql<{ id: string }>`
    SELECT id FROM prompts WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  if (prompt === undefined) throw new NotFound('prompt', slug)
  return prompt.id
}

/** Rejects a version that a prompt does not have. */
export async function requireVersion(
  { sql, workspaceId }: WorkspaceSql,
  promptId: string,
  version: string,
): Promise<void> {
  const [row] = await sql<{ id: string }>`
    SELECT id FROM prompt_versions
    WHERE workspace_id = ${workspaceId} AND prompt_id = ${promptId} AND version = ${version}`
  if (row === undefined) throw new NotFound('promptVersion', version)
}
