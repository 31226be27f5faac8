import type { ApiKey, LedgerEntry } from '@plumbline/sdk'

type Sender = Pick<LedgerEntry, 'apiKeyId' | 'apiKeyName'>

/** What sent the records of an entry: an API key, or somebody in the web app. Pure. */
export function senderName(
  { apiKeyId, apiKeyName }: Sender,
  keys: readonly Pick<ApiKey, 'id' | 'name'>[] | undefined,
): string {
  if (apiKeyName === undefined) return 'Deleted key'
  const isPerson = keys !== undefined && !keys.some(({ id }) => id === apiKeyId)
  return isPerson ? `${apiKeyName} (web app)` : apiKeyName
}
