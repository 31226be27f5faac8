/** A credential, without its secret: only the secret's hash is stored, and it is never shown. */
export type ApiKey = {
  id: string
  workspaceId: string
  name: string
  /** The start of the secret, to tell keys apart. */
  prefix: string
  scopes: string[]
  expiresAt: Date | undefined
  createdAt: Date
  lastUsedAt: Date | undefined
  revokedAt: Date | undefined
}

/** A row of api_keys, as every query about keys selects it. */
export type ApiKeyRow = {
  id: string
  workspace_id: string
  name: string
  prefix: string
  scopes: string
  expires_at: number | null
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

export function toApiKey(row: ApiKeyRow): ApiKey {
  const { id, name, prefix } = row
  return {
    id,
    workspaceId: row.workspace_id,
    name,
    prefix,
    scopes: row.scopes === '' ? [] : row.scopes.split(' '),
    expiresAt: toDate(row.expires_at),
    createdAt: new Date(row.created_at),
    lastUsedAt: toDate(row.last_used_at),
    revokedAt: toDate(row.revoked_at),
  }
}

function toDate(time: number | null): Date | undefined {
  return time === null ? undefined : new Date(time)
}
