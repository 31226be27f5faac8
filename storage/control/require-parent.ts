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
