/**
 * The secrets that the service uses, all derived from one root secret: PLUMBLINE_SECRET_KEY, or else a file in the data
 * directory. The control plane has neither, only a fingerprint, so that a copy of it decrypts nothing and signs nobody in.
 *
 * At startup, values encrypted with a former secret are re-encrypted: the former secret is that of the file, once the
 * setting has replaced it, or the one that earlier versions kept in the control plane.
 */
import { ServiceError } from '@plumbline/contract'
import type { ControlStore } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { deriveKey, fingerprintOf, labels } from './derive-key.ts'
import { type Keyring, makeKeyring } from './keyring.ts'
import { makeReseal } from './reseal.ts'
import { makeSecretFile, readSecretFile, secretFileIn } from './secret-file.ts'

export interface Secrets {
  /** Signs session cookies. */
  readonly sessions: string
  /** Encrypts keys of LLM connections, channel URLs and endpoint headers. */
  readonly keyring: Keyring
  /** Encrypts responses that contain a secret and are kept for a retry. */
  readonly responses: Keyring
  /** Keys the hashes of requests in the audit log: without it nobody can guess what was hashed. */
  readonly auditHashKey: Buffer
  /** Signs share links. */
  readonly shares: Buffer
  /** Keys the hashes that masking puts in place of values. */
  readonly masking: Buffer
  /** What the operator has to know, as sentences for the startup banner. */
  readonly notices: readonly string[]
}

interface SecretParts {
  readonly control: Pick<ControlStore, 'secret' | 'findSecret' | 'replaceSecret' | 'resealAll'>
  readonly config: Pick<Config, 'PLUMBLINE_SECRET_KEY' | 'DATABASE_URL'>
  readonly dataFolder: string
  readonly logger: Logger
}

/** Rows of the table `secrets`. */
const fingerprintName = 'root fingerprint'
/** Rows of earlier versions: the secret that encrypted provider keys, and the one that signed cookies. */
const formerName = 'connection keys'
const retiredNames = [formerName, 'sessions']

export async function openSecrets(parts: SecretParts): Promise<Secrets> {
  const { control, config, dataFolder, logger } = parts
  const setting = config.PLUMBLINE_SECRET_KEY
  const path = secretFileIn(dataFolder)
  const fileSecret = readSecretFile(dataFolder)
  const rootSecret = setting ?? fileSecret ?? makeSecretFile(dataFolder)
  const fingerprint = fingerprintOf(rootSecret)
  const storedFingerprint = await control.secret(fingerprintName, () => fingerprint)
  const secrets = {
    sessions: deriveKey(rootSecret, labels.sessions).toString('base64'),
    keyring: makeKeyring(deriveKey(rootSecret, labels.sealing)),
    responses: makeKeyring(deriveKey(rootSecret, labels.responses)),
    auditHashKey: deriveKey(rootSecret, labels.auditHashes),
    shares: deriveKey(rootSecret, labels.shares),
    masking: deriveKey(rootSecret, labels.masking),
  }
  if (setting === undefined && config.DATABASE_URL !== undefined && storedFingerprint !== fingerprint) {
    const problem = otherNodeSecret(path)
    logger.error(problem)
    return { ...secrets, keyring: withoutSealing(secrets.keyring, problem), notices: [problem] }
  }

  const formerSecrets = [setting === undefined ? undefined : fileSecret, await control.findSecret(formerName)]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret !== rootSecret)
  const unreadableCount = await resealStored(parts, secrets.keyring, formerSecrets)
  const isReplaced = storedFingerprint !== fingerprint
  if (isReplaced && unreadableCount === 0) await control.replaceSecret(fingerprintName, fingerprint)

  const isExpected = !isReplaced || formerSecrets.map(fingerprintOf).includes(storedFingerprint)
  const source = setting === undefined ? 'the file secret.key' : 'PLUMBLINE_SECRET_KEY'
  const problems = [
    ...(unreadableCount > 0 ? [unreadable(unreadableCount, source)] : []),
    ...(isExpected ? [] : [secretWarning(source)]),
  ]
  for (const problem of problems) logger.error(problem)
  if (setting === undefined) return { ...secrets, notices: [...problems, keepFile(path)] }
  const canDrop = fileSecret !== undefined && unreadableCount === 0
  return { ...secrets, notices: [...problems, ...(canDrop ? [dropFile(path)] : [])] }
}

/** Re-encrypts values of former secrets with the keyring; resolves with the number of values that none of them decrypts. */
async function resealStored(
  { control, logger }: SecretParts,
  keyring: Keyring,
  formerSecrets: readonly string[],
): Promise<number> {
  const formerKeyrings = formerSecrets.map((secret) => makeKeyring(deriveKey(secret, labels.sealing)))
  const { reseal, counts } = makeReseal(keyring, formerKeyrings)
  await control.resealAll(reseal, retiredNames)
  if (counts.resealed > 0) logger.info(counts, 'stored secrets were re-encrypted with the current secret')
  return counts.unreadable
}

/** No other node could decrypt a value that this node encrypts, so it encrypts none. */
const withoutSealing = (keyring: Keyring, problem: string): Keyring => ({
  open: keyring.open,
  seal() {
    throw new ServiceError('unavailable', { problem })
  },
})

const keepFile = (path: string): string =>
  `The secret of this installation is in ${path}. Backups do not contain it: keep a copy elsewhere, or set PLUMBLINE_SECRET_KEY.`

const dropFile = (path: string): string =>
  `PLUMBLINE_SECRET_KEY replaces ${path}: the file is no longer needed and may be deleted.`

const otherNodeSecret = (path: string): string =>
  `The nodes on this database have different secrets: ${path} is not the secret of the first node. Set the same PLUMBLINE_SECRET_KEY on all nodes. Until then, users cannot stay signed in across nodes, and this node cannot decrypt LLM connection keys or channel addresses; API keys, recording and reading work.`

const unreadable = (count: number, source: string): string =>
  `${count} stored secrets (LLM connection keys, channel addresses, endpoint headers) were encrypted with a different secret than that of ${source}: start with the former PLUMBLINE_SECRET_KEY, restore the former secret.key, or enter those secrets again.`

const secretWarning = (source: string): string =>
  `The secret of ${source} has changed since the last start, so all users have to sign in again. All nodes must have the same PLUMBLINE_SECRET_KEY.`
