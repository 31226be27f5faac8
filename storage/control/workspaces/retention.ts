import type { WorkspaceDb } from '../store/workspace.ts'

/** How many days traces are kept; undefined: forever. By primary key of the workspace. */
export async function find({ sql, workspaceId }: WorkspaceDb): Promise<number | undefined> {
  const [workspace] = await sql<{ retention_days: number | null }>`
    SELECT retention_days FROM workspaces WHERE id = ${workspaceId}`
  return workspace?.retention_days ?? undefined
}

/** Sets how many days traces are kept; undefined: forever. */
export function update(db: WorkspaceDb, days: number | undefined): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    await sql`UPDATE workspaces SET retention_days = ${days ?? null} WHERE id = ${workspaceId}`
  })
}
