/** The data folder, held by one process at a time. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BadConfiguration } from './config.ts'

export interface DataFolder {
  readonly path: string
  release(): void
}

/**
 * Takes the folder; throws `BadConfiguration` if another process has it.
 *
 * The lock is SQLite's own lock on an empty database: the operating system gives it back when a process dies,
 * however it dies, so that no start ever needs a hand.
 */
export function holdDataFolder(path: string): DataFolder {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new BadConfiguration(`PLUMBLINE_DATA_DIR ${path} cannot be made: ${wordsOf(error)}.`, {
      cause: error,
    })
  }
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(path, 'lock.db'), { timeout: 0 })
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    const isHeld = wordsOf(error).includes('locked')
    const reason = isHeld
      ? 'is in use by another process; stop it, or set another folder'
      : `cannot be written: ${wordsOf(error)}`
    throw new BadConfiguration(`PLUMBLINE_DATA_DIR ${path} ${reason}.`, { cause: error })
  }
  const held = lock
  return { path, release: () => held.close() }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
