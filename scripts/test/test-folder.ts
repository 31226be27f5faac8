/** Where tests keep their files: they drop each of them within minutes, and a disk would write all of them first. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, where the system is Linux. */
const memory = '/dev/shm'
/** Several times what the files of a run take at once. */
const freeBytesMin = 8 * 1024 ** 3

/**
 * A new folder that goes with this process: in memory where that has the room, else where temporary files are. Kills and
 * soaks ask for a disk: they write far more, and are there for what a disk does.
 */
export function makeTestFolder({ isOnDisk }: { readonly isOnDisk: boolean }): string {
  const folder = mkdtempSync(join(!isOnDisk && hasRoom() ? memory : tmpdir(), 'plumbline-'))
  // PostgreSQL refuses to run as root, so its user has to pass through.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) >= freeBytesMin
}
