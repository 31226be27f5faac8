/** Queries that belong to no workspace: API keys by hash, workspace revisions and the server's own secrets. */
import { type ApiKey, type ApiKeyRow, toApiKey } from '../accounts/api-key-row.ts'
import { newId } from '../id.ts'
import type { Sql } from '../store/sql.ts'

export type Workspace = { id: string; name: string }

/** The workspace that always exists. */
export const defaultWorkspaceId = 'default'

const idsPerUpdate = 500

/** Adds a workspace. */
export async function createWorkspace(sql: Sql, input: { readonly name: string }): Promise<Workspace> {
  const workspace = { id: newId(), name: input.name }
  await sql`INSERT INTO workspaces (id, name, revision) VALUES (${workspace.id}, ${workspace.name}, 0)`
  return workspace
}

/**
 * The revision of every workspace that is not being deleted, or of those among the given ones. It changes with any
 * data that a cache may hold: poll it.
 */
export async function revisions(sql: Sql, ids?: readonly string[]): Promise<Map<string, number>> {
  type Row = { id: string; revision: number }
  const rows =
    ids === undefined
      ? await sql<Row>`SELECT id, revision FROM workspaces WHERE deleting_at IS NULL`
      : await sql<Row>`SELECT id, revision FROM workspaces WHERE id IN (${ids}) AND deleting_at IS NULL`
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

/** The key with this hash, revoked or expired ones too, by its unique hash. */
export async function findApiKeyByHash(sql: Sql, hash: string): Promise<ApiKey | undefined> {
  const rows = await sql<ApiKeyRow>`
    SELECT id, workspace_id, name, prefix, scopes, expires_at, created_at, last_used_at, revoked_at
    FROM api_keys WHERE hash = ${hash}
      AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = workspace_id AND w.deleting_at IS NULL)`
  return rows.map(toApiKey)[0]
}

/** Updates when keys were last used, by primary key; never moves it back. */
export async function touchApiKeys(sql: Sql, ids: readonly string[], time: Date): Promise<void> {
  // In a fixed order, so that two nodes cannot deadlock.
  const sorted = ids.toSorted()
  for (let start = 0; start < sorted.length; start += idsPerUpdate) {
    await sql`
      UPDATE api_keys SET last_used_at = ${time.getTime()}
      WHERE id IN (${sorted.slice(start, start + idsPerUpdate)})
        AND (last_used_at IS NULL OR last_used_at < ${time.getTime()})`
  }
}

/** A secret of the server, created on first use; of concurrent nodes, one creates it. */
export async function secret(sql: Sql, name: string, make: () => string): Promise<string> {
  const existing = await findSecret(sql, name)
  if (existing !== undefined) return existing
  const newValue = make()
  await sql`INSERT INTO secrets (name, value) VALUES (${name}, ${newValue}) ON CONFLICT (name) DO NOTHING`
  return (await findSecret(sql, name)) ?? newValue
}

/** Replaces a secret, or adds it. */
export async function replaceSecret(sql: Sql, name: string, value: string): Promise<void> {
  await sql`
    INSERT INTO secrets (name, value) VALUES (${name}, ${value})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`
}

/** A secret of the server, by primary key. */
export async function findSecret(sql: Sql, name: string): Promise<string | undefined> {
  const [row] = await sql<{ value: string }>`SELECT value FROM secrets WHERE name = ${name}`
  return row?.value
}
