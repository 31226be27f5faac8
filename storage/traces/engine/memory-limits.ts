/** How much memory the embedded engine may use: it shares the machine or container with the rest of the process. */
import { totalmem } from 'node:os'

export interface MemoryLimits {
  /** The limit for one search; two may run at once. */
  readonly searchBytes: number
  /** A search that groups or sorts more than this spills to disk. */
  readonly spillBytes: number
  readonly markCacheBytes: number
  readonly indexMarkCacheBytes: number
  /** Limits for merges of parts; undefined to keep the engine's own. */
  readonly merges: MergeLimits | undefined
}

export interface MergeLimits {
  /** Merges that run at once. */
  readonly running: number
  /**
   * Parts joined by one merge. A merge keeps a block of each in memory, and with large texts a block is as large as a
   * batch.
   */
  readonly partsMax: number
}

const mebibyte = 1024 ** 2

const clamp = (least: number, value: number, most: number): number =>
  Math.floor(Math.min(Math.max(value, least), most))

/** Below this, saving memory matters more than time. `server/process-environment.mjs` has the same limit. */
const littleMemoryBytes = 2 * 1024 * mebibyte

export const isLittleMemory = (memoryBytes: number = availableMemoryBytes()): boolean =>
  memoryBytes < littleMemoryBytes

/** A search gets a sixth of the memory, so that two searches fit beside the rest of the process. */
export function memoryLimitsOf(memoryBytes: number): MemoryLimits {
  const searchBytes = clamp(150 * mebibyte, memoryBytes / 6, 2000 * mebibyte)
  return {
    searchBytes,
    spillBytes: Math.floor(searchBytes / 2),
    markCacheBytes: clamp(16 * mebibyte, memoryBytes / 64, 64 * mebibyte),
    indexMarkCacheBytes: clamp(4 * mebibyte, memoryBytes / 256, 16 * mebibyte),
    merges: isLittleMemory(memoryBytes) ? { running: 1, partsMax: 8 } : undefined,
  }
}

/** The memory of the machine, or of the control group that this process is in. */
export function availableMemoryBytes(
  machineBytes: number = totalmem(),
  groupBytes: number = process.constrainedMemory(),
): number {
  return groupBytes > 0 && groupBytes < machineBytes ? groupBytes : machineBytes
}
