/** The first key of a workspace. */
import { scopes as allScopes, type Scope } from '@plumbline/contract'
import { AlreadyExists, type ControlStore, type WorkspaceControlStore } from '@plumbline/storage/control'
import { hashSecret, makeSecret, shownPrefix } from './secret.ts'

/** The scopes of the printed key: it is used in applications, which need no copy of everything. */
const printedScopes: readonly Scope[] = ['ingest', 'read', 'manage']

/** The preset key's name wherever it created or moved something, so that it is not taken for a user. */
const presetKeyName = 'API key from the environment'

/** Its name in earlier versions: that of the setting. */
const formerPresetKeyName = 'PLUMBLINE_API_KEY'

/**
 * Registers the preset key, or creates a key if there is none. Returns a secret only if it was created here, since the
 * startup banner shows it once. A preset key gets all scopes, since operators control the environment of the process; one
 * that is already registered keeps its scopes, and only its former name is changed.
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
    // Another node that starts at the same time has registered the preset key.
    if (!(error instanceof AlreadyExists)) throw error
  }
  return preset === undefined ? secret : undefined
}
