/** How much memory the embedded engine may use: it shares the machine, or the container, with the rest of the process. */
import { totalmem } from 'node:os'

export interface MemoryLimits {
  /** For one search; there may be two at once. */
  readonly searchBytes: number
  /** A search that groups or sorts more than this goes on on the disk. */
  readonly spillBytes: number
  readonly markCacheBytes: number
  readonly indexMarkCacheBytes: number
  /** Merges of parts; undefined where the engine's own limits do. */
  readonly merges: MergeLimits | undefined
}

export interface MergeLimits {
  /** Merges that run at once. */
  readonly running: number
  /** Parts that one merge joins. It has a block of each in memory, which is as large as a batch where texts are large. */
  readonly partsMax: number
}

const mebibyte = 1024 ** 2

const clamp = (least: number, value: number, most: number): number =>
  Math.floor(Math.min(Math.max(value, least), most))

/** Below this, memory is worth more than time. `server/process-environment.mjs` has the same limit. */
const littleMemoryBytes = 2 * 1024 * mebibyte

export const isLittleMemory = (memoryBytes: number = availableMemoryBytes()): boolean =>
  memoryBytes < littleMemoryBytes

/** Of the memory there is, a sixth for a search, so that two and the rest of the process fit beside each other. */
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
