/**
 * Space that appends leave free, so that the drain can still write when the disk is full: the trace store is usually on
 * the same disk, and without space for it the spool could never be emptied.
 */
import { statfs } from 'node:fs/promises'

/** The disk that a folder is on. */
export interface DiskSpace {
  readonly freeBytes: number
  readonly sizeBytes: number
  /** Free and total inodes; absent if the file system has no such limit. */
  readonly files?: { readonly free: number; readonly max: number }
}

export interface DiskReserve {
  /** Whether appends would use the reserve, by the last reading; refreshes it in the background if it is too old. */
  isReached(): boolean
  /** Reads the free space now. */
  refresh(): Promise<boolean>
}

/** The disk may fill by tens of megabytes in this time. */
const maxAgeMs = 250
const mebibyte = 1024 ** 2

/** A tenth of the disk, but at least what a batch and its merge need, and at most what several need. */
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
        // If the free space is unknown, the disk is not considered full: a write will show.
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
