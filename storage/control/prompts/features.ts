import { NotFound } from '../errors.ts'
import type { WorkspaceDb, WorkspaceSql } from '../store/workspace.ts'
import { readable, readTime } from '../unreadable-rows.ts'

/** A feature of an application, to which prompts, experiments and traces belong. */
export type Feature = { slug: string; name: string; description: string; createdAt: Date }

export type NewFeature = { readonly slug: string; readonly name: string; readonly description?: string }

type FeatureRow = { slug: string; name: string; description: string; created_at: number }

/** Adds a feature; its slug is the primary key. */
export function create(db: WorkspaceDb, input: NewFeature, now: Date): Promise<Feature> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const feature = { ...input, description: input.description ?? '', createdAt: now }
    await sql`
      INSERT INTO features (workspace_id, slug, name, description, created_at)
      VALUES (${workspaceId}, ${feature.slug}, ${feature.name}, ${feature.description}, ${now.getTime()})`
    return feature
  })
}

/** Every feature, oldest first: found by the primary key and then sorted, since a workspace has few. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Feature[]> {
  const rows = await sql<FeatureRow>`
    SELECT slug, name, description, created_at FROM features
    WHERE workspace_id = ${workspaceId} ORDER BY created_at, slug`
  return readable('features', rows, toFeature)
}

/** Whether a feature exists, by primary key, even if its row is unreadable: it still has its traces. */
export async function exists({ sql, workspaceId }: WorkspaceSql, slug: string): Promise<boolean> {
  const rows = await sql<{ slug: string }>`
    SELECT slug FROM features WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  return rows.length > 0
}

/** One feature, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceSql, slug: string): Promise<Feature | undefined> {
  const rows = await sql<FeatureRow>`
    SELECT slug, name, description, created_at FROM features
    WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
  return readable('features', rows, toFeature)[0]
}

/**
 * Deletes a feature that nothing belongs to, by primary key; otherwise keeps it and returns what belongs to it. Throws
 * `NotFound` if there is none.
 */
export function remove(
  db: WorkspaceDb,
  slug: string,
): Promise<{ readonly prompts: number; readonly experiments: number }> {
  return db.mutate(async (tx) => {
    const { sql, workspaceId } = tx
    if (!(await exists(tx, slug))) throw new NotFound('feature', slug)
    const [prompts] = await sql<{ count: number }>`
      SELECT count(*) AS count FROM prompts WHERE workspace_id = ${workspaceId} AND feature_slug = ${slug}`
    const [experiments] = await sql<{ count: number }>`
      SELECT count(*) AS count FROM experiments WHERE workspace_id = ${workspaceId} AND feature_slug = ${slug}`
    const uses = { prompts: prompts?.count ?? 0, experiments: experiments?.count ?? 0 }
    if (uses.prompts + uses.experiments === 0)
      await sql`DELETE FROM features WHERE workspace_id = ${workspaceId} AND slug = ${slug}`
    return uses
  })
}

function toFeature(row: FeatureRow): Feature {
  const { slug, name, description } = row
  return { slug, name, description, createdAt: readTime(row.created_at, 'created_at') }
}
