/** A small file system that tests fill. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** Fills the disk except for `leftBytes`. */
  fill(leftBytes?: number): void
  /** Frees the space again. */
  empty(): void
  /** To be called once nothing uses the disk. */
  remove(): void
}

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const chunk = Buffer.alloc(64 * 1024)

/** Undefined if mounting is not possible; it requires Linux and root. */
export function mountSmallDisk(sizeBytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'plumbline', folder])
  if (status !== 0) {
    rmdirSync(folder)
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill(leftBytes = 0) {
      const file = openSync(filler, 'a')
      try {
        while (leftBytes === 0 || freeBytes(folder) > leftBytes) writeSync(file, chunk)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      const { status: left, stderr } = spawnSync('umount', [folder], { encoding: 'utf8' })
      if (left !== 0) throw new Error(stderr)
      rmdirSync(folder)
    },
  }
}
