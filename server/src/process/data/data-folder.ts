/** The data folder, held by one process at a time and readable by its user alone. */
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
  /** What others on this machine may be able to read, because it belongs to another user. */
  readonly exposedPaths: readonly string[]
  release(): void
}

/** No rights for the group and for others, on all that this process makes. */
const privateUmask = 0o077

/**
 * Takes the folder; throws `BadConfiguration` if another process has it.
 *
 * The lock is SQLite's own lock on an empty database: the operating system gives it back when a process dies,
 * however it dies, so that no start ever needs a hand.
 */
export function lockDataDir(path: string): DataFolder {
  process.umask(privateUmask)
  try {
    makeFolder(path)
  } catch (error) {
    throw new BadConfiguration(`PLUMBLINE_DATA_DIR ${path} cannot be made: ${messageOf(error)}.`, {
      cause: error,
    })
  }
  let lock: DatabaseSync | undefined
  try {
    // A lock that is there can be taken on a file system that is read-only.
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
 * Makes the folder and those above it. The recursion of `mkdirSync` never ends where the parent is there and the system
 * still says that it is not, as in /proc.
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
 * What this service makes at the top of its folder. The folder may have something else too, such as a home folder: that
 * belongs to somebody else.
 */
export const isOwnName = (name: string): boolean =>
  /^(?:control\.db.*|lock\.db.*|secret\.key.*|price-list-.*|node|traces|spool|files|refused|snapshot|restore\.part)$/.test(
    name,
  )

/**
 * Takes from others what an earlier version, or whoever made the folder, has left open to them. What lies deeper is out
 * of reach then. Returns the paths of other users, whose rights only those can change: a mounted volume may be one.
 */
function protect(folder: string): string[] {
  const names = readdirSync(folder)
  const ownPaths = names.filter(isOwnName).map((name) => join(folder, name))
  // Whoever keeps something else in the folder says who may enter it.
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
