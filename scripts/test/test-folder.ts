/** Where tests keep their files: they are deleted within minutes, but a disk would write all of them first. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An in-memory file system on Linux. */
const memory = '/dev/shm'
/** Several times the peak size of the files of a run. */
const freeBytesMin = 8 * 1024 ** 3

/**
 * A new folder that is deleted with this process: in memory if there is enough space, otherwise in the folder for
 * temporary files. Kill and soak tests request a disk: they write far more, and test the behavior of the disk.
 */
export function makeTestFolder({ isOnDisk }: { readonly isOnDisk: boolean }): string {
  const folder = mkdtempSync(join(!isOnDisk && hasRoom() ? memory : tmpdir(), 'plumbline-'))
  // PostgreSQL refuses to run as root, so its user needs access.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) >= freeBytesMin
}
