import type { WorkspaceDb } from './workspace.ts'

/** For how many days traces stay; undefined: for good. By primary key of the workspace. */
export async function find({ sql, workspaceId }: WorkspaceDb): Promise<number | undefined> {
  const [workspace] = await sql<{ retention_days: number | null }>`
    SELECT retention_days FROM workspaces WHERE id = ${workspaceId}`
  return workspace?.retention_days ?? undefined
}

/** Sets for how many days traces stay; undefined: for good. */
export function update(db: WorkspaceDb, days: number | undefined): Promise<void> {
  return db.write(async ({ sql, workspaceId }) => {
    await sql`UPDATE workspaces SET retention_days = ${days ?? null} WHERE id = ${workspaceId}`
  })
}
