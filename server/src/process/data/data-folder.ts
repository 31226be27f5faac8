/** The data directory, locked by one process at a time and readable by its user only. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BadConfiguration } from '../../config.ts'

export interface DataFolder {
  readonly path: string
  /** Paths that other users on this machine may be able to read, because they belong to another user. */
  readonly exposedPaths: readonly string[]
  release(): void
}

/** No permissions for the group and for others on anything that this process creates. */
const privateUmask = 0o077

/**
 * Locks the data directory; throws `BadConfiguration` if another process has it.
 *
 * The lock is SQLite's own lock on an empty database: the operating system releases it whenever a process dies, so that no
 * start ever needs manual cleanup.
 */
export function lockDataDir(path: string): DataFolder {
  process.umask(privateUmask)
  try {
    makeFolder(path)
  } catch (error) {
    throw new BadConfiguration(`PLUMBLINE_DATA_DIR ${path} cannot be created: ${messageOf(error)}.`, {
      cause: error,
    })
  }
  let lock: DatabaseSync | undefined
  try {
    // Checked first: an existing lock file can be locked even on a read-only file system.
    accessSync(path, constants.W_OK)
    lock = new DatabaseSync(join(path, 'lock.db'), { timeout: 0 })
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    const isHeld = messageOf(error).includes('locked')
    const reason = isHeld
      ? 'is in use by another process; stop it, or set another folder'
      : `cannot be written: ${messageOf(error)}`
    throw new BadConfiguration(`PLUMBLINE_DATA_DIR ${path} ${reason}.`, { cause: error })
  }
  const openLock = lock
  return { path, exposedPaths: protect(path), release: () => openLock.close() }
}

/**
 * Creates the folder and its parents. Recursive `mkdirSync` never returns if the parent exists and the system still reports
 * ENOENT, as in /proc.
 */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
    const isParentMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(dirname(path))
    if (!isParentMissing) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

/**
 * Whether the service creates this name at the top of the data directory. Other entries, for example in a home folder, are
 * not ours.
 */
export const isOwnName = (name: string): boolean =>
  /^(?:control\.db.*|lock\.db.*|secret\.key.*|price-list-.*|node|traces|spool|files|refused|snapshot|restore\.part)$/.test(
    name,
  )

/**
 * Removes permissions for others that an earlier version, or the folder's creator, has set. Anything deeper is then
 * unreachable. Returns paths whose permissions only another user can change, such as a mounted volume.
 */
function protect(folder: string): string[] {
  const names = readdirSync(folder)
  const ownPaths = names.filter(isOwnName).map((name) => join(folder, name))
  // A folder that also has other content keeps its own permissions.
  const paths = ownPaths.length === names.length ? [folder, ...ownPaths] : ownPaths
  return paths.filter((path) => {
    const entry = lstatSync(path)
    if (entry.isSymbolicLink()) return false
    try {
      chmodSync(path, entry.isDirectory() ? 0o700 : 0o600)
      return false
    } catch {
      return (entry.mode & 0o077) !== 0
    }
  })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
