/**
 * Space that appends leave free, so that the drain can still write when the disk is full: the trace store is mostly on
 * the same disk, and without room for it the spool could never be emptied.
 */
import { statfs } from 'node:fs/promises'

/** The disk of a folder. */
export interface DiskSpace {
  readonly freeBytes: number
  readonly sizeBytes: number
  /** How many files can be made, and how many in all (inodes); absent where the file system has no such limit. */
  readonly files?: { readonly free: number; readonly max: number }
}

export interface DiskReserve {
  /** Whether appends would take the reserve, as known now; looks again in the background if that is long ago. */
  isReached(): boolean
  /** Looks at once. */
  refresh(): Promise<boolean>
}

/** A disk fills by some ten megabytes in this time. */
const maxAgeMs = 250
const mebibyte = 1024 ** 2

/** A tenth of the disk, but not less than a batch with its merge needs, and not more than several do. */
export const reserveBytesOf = (sizeBytes: number): number =>
  Math.min(Math.max(sizeBytes * 0.1, 24 * mebibyte), 512 * mebibyte)

export function makeDiskReserve(
  folder: string,
  readSpace: () => Promise<DiskSpace> = () => spaceOf(folder),
  now: () => number = () => performance.now(),
): DiskReserve {
  let isReached = false
  let readAtMs = Number.NEGATIVE_INFINITY
  let pending: Promise<boolean> | undefined
  const refresh = (): Promise<boolean> => {
    pending ??= readSpace()
      .then(
        ({ freeBytes, sizeBytes }) => {
          isReached = freeBytes < reserveBytesOf(sizeBytes)
        },
        // A disk that does not say is not taken for full: writing to it will tell.
        () => {
          isReached = false
        },
      )
      .then(() => {
        readAtMs = now()
        pending = undefined
        return isReached
      })
    return pending
  }
  return {
    isReached() {
      if (now() - readAtMs > maxAgeMs) void refresh()
      return isReached
    },
    refresh,
  }
}

export async function spaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(folder)
  return {
    ...{ freeBytes: bavail * bsize, sizeBytes: blocks * bsize },
    ...(files > 0 ? { files: { free: ffree, max: files } } : {}),
  }
}
