import type { WorkspaceDb } from '../store/workspace.ts'

/** The workspace's name, by primary key. */
export async function find({ sql, workspaceId }: WorkspaceDb): Promise<string | undefined> {
  const rows = await sql<{
    name: string
  }>`SELECT name FROM workspaces WHERE id = ${workspaceId} AND deleting_at IS NULL`
  return rows[0]?.name
}

/** Renames the workspace. */
export function update(db: WorkspaceDb, name: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    await sql`UPDATE workspaces SET name = ${name} WHERE id = ${workspaceId}`
  })
}
