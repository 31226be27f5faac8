import type { Clients } from '../engine/clients.ts'

/** Every table that has rows of workspaces; a test compares the list with `schema.sql`. */
export const workspaceTables = ['traces', 'logs', 'scores', 'spans', 'traces_hourly', 'logs_hourly'] as const

/** Deletes all rows of a workspace; resolves once they are deleted. Rewrites nothing if there are none. */
export async function deleteWorkspace(clients: Clients, workspaceId: string): Promise<void> {
  const parameters = { workspace: workspaceId }
  for (const table of workspaceTables) {
    const [row] = await clients.search(
      `SELECT 1 AS found FROM ${table} WHERE workspace_id = {workspace:String} LIMIT 1`,
      parameters,
    )
    if (row !== undefined)
      await clients.maintain(
        `ALTER TABLE ${table} DELETE WHERE workspace_id = {workspace:String} SETTINGS mutations_sync = 2`,
        parameters,
      )
  }
}
