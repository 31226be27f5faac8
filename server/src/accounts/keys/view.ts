import type { ApiKey, Scope } from '@plumbline/contract'
import type { ApiKey as StoredKey } from '@plumbline/storage/control'

/** An API key as the interface returns it: never its secret, nor the hash. */
export const toApiKey = ({
  id,
  name,
  prefix,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
  revokedAt,
}: StoredKey): ApiKey => ({
  id,
  name,
  prefix,
  // Safe: the contract's schema accepts only these scopes.
  scopes: scopes as Scope[],
  createdAt: createdAt.toISOString(),
  ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
  ...(lastUsedAt === undefined ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
  ...(revokedAt === undefined ? {} : { revokedAt: revokedAt.toISOString() }),
})
