import { newId } from '../id.ts'
import type { WorkspaceDb } from '../store/workspace.ts'
import { type ApiKey, type ApiKeyRow, toApiKey } from './api-key-row.ts'
import { endWorkOf, roleOfKeys } from './power-of-links.ts'

export type NewApiKey = {
  readonly name: string
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly expiresAt?: Date
  /** Id of the person who created it, directly or through another key. */
  readonly createdBy?: string
}

/** Adds a key; its hash is unique among all workspaces. */
export function create(db: WorkspaceDb, input: NewApiKey, now: Date): Promise<ApiKey> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const rows = await sql<ApiKeyRow>`
      INSERT INTO api_keys (id, workspace_id, name, hash, prefix, scopes, expires_at, created_at, created_by)
      VALUES (${newId()}, ${workspaceId}, ${input.name}, ${input.hash}, ${input.prefix}, ${input.scopes.join(' ')},
        ${input.expiresAt?.getTime() ?? null}, ${now.getTime()}, ${input.createdBy ?? null})
      RETURNING id, workspace_id, name, prefix, scopes, expires_at, created_at, last_used_at, revoked_at`
    return rows.map(toApiKey)[0]!
  })
}

/** Every key, the revoked ones too, newest first; served by api_keys_by_age. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<ApiKey[]> {
  const rows = await sql<ApiKeyRow>`
    SELECT id, workspace_id, name, prefix, scopes, expires_at, created_at, last_used_at, revoked_at
    FROM api_keys WHERE workspace_id = ${workspaceId} ORDER BY created_at DESC, id DESC`
  return rows.map(toApiKey)
}

/**
 * Maps key ids to the person who created the key, directly or through another key; leaves out keys whose creator is
 * unknown.
 */
export async function findMakers(
  { sql, workspaceId }: WorkspaceDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; created_by: string }>`
    SELECT id, created_by FROM api_keys
    WHERE workspace_id = ${workspaceId} AND id IN (${ids}) AND created_by IS NOT NULL`
  return new Map(rows.map((row) => [row.id, row.created_by]))
}

/** Renames a key, by primary key; does nothing if the workspace has none with this id. */
export function rename(db: WorkspaceDb, id: string, name: string): Promise<void> {
  return db.mutate(async ({ sql, workspaceId }) => {
    await sql`UPDATE api_keys SET name = ${name} WHERE workspace_id = ${workspaceId} AND id = ${id}`
  })
}

/** Revokes a key and ends the links that it created, by primary key; false if the workspace has none with this id. */
export function revoke(db: WorkspaceDb, id: string, now: Date): Promise<boolean> {
  return db.mutate(async ({ sql, workspaceId }) => {
    const [row] = await sql<{ scopes: string }>`
      UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ${now.getTime()})
      WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING scopes`
    if (row?.scopes.split(' ').includes('manage'))
      await endWorkOf(sql, { makerId: id, workspaceId, role: roleOfKeys })
    return row !== undefined
  })
}
