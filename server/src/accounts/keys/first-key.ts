/** The key that a workspace begins with. */
import { scopes as allScopes, type Scope } from '@plumbline/contract'
import { AlreadyExists, type ControlStore, type WorkspaceControlStore } from '@plumbline/storage/control'
import { hashSecret, makeSecret, shownPrefix } from './secret.ts'

/** The scopes of the key that is printed: it goes into applications, and those need no copy of everything. */
const printedScopes: readonly Scope[] = ['ingest', 'read', 'manage']

/** What the preset key is called wherever it made or moved something: nobody takes it for a person. */
const presetKeyName = 'API key from the environment'

/** What it was called before: the name of the setting. */
const formerPresetKeyName = 'PLUMBLINE_API_KEY'

/**
 * Makes the preset key known, or makes a key if there is none yet. Returns a secret only when it was made here,
 * since the startup banner shows it once. The preset key has all scopes, since operators set the environment of the
 * process; one that is known already keeps the scopes that it has, and loses only the name that it had before.
 */
export async function ensureKey(
  apiKeys: WorkspaceControlStore['apiKeys'],
  control: Pick<ControlStore, 'findApiKeyByHash'>,
  preset: string | undefined,
  now: Date,
): Promise<string | undefined> {
  if (preset === undefined && (await apiKeys.list()).length > 0) return undefined
  const secret = preset ?? makeSecret()
  const hash = hashSecret(secret)
  const presetKey = preset === undefined ? undefined : await control.findApiKeyByHash(hash)
  if (presetKey !== undefined) {
    if (presetKey.name === formerPresetKeyName) await apiKeys.rename(presetKey.id, presetKeyName)
    return undefined
  }
  const name = preset === undefined ? 'First key' : presetKeyName
  const scopes = preset === undefined ? printedScopes : allScopes
  try {
    await apiKeys.create({ name, hash, prefix: shownPrefix(secret), scopes }, now)
  } catch (error) {
    // Another node that starts at the same time has made the preset key known.
    if (!(error instanceof AlreadyExists)) throw error
  }
  return preset === undefined ? secret : undefined
}
