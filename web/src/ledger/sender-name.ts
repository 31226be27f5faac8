import type { ApiKey, LedgerEntry } from '@plumbline/sdk'

type Sender = Pick<LedgerEntry, 'apiKeyId' | 'apiKeyName'>

/** The sender of an entry's records: an API key, or a user of the web app. Pure. */
export function senderName(
  { apiKeyId, apiKeyName }: Sender,
  keys: readonly Pick<ApiKey, 'id' | 'name'>[] | undefined,
): string {
  if (apiKeyName === undefined) return 'Deleted key'
  const isPerson = keys !== undefined && !keys.some(({ id }) => id === apiKeyId)
  return isPerson ? `${apiKeyName} (web app)` : apiKeyName
}
