import { totalmem } from 'node:os'

/** The memory of the machine, or of the control group that this process is in. */
const memoryBytes = Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY)
/** That of `littleMemoryBytes` in `storage/traces/engine/memory-limits.ts`, which may be TypeScript. */
const isLittleMemory = memoryBytes < 2 * 1024 ** 3

/** What only the environment of a new process can set; the benchmark's service has the same. */
export const environment = {
  // Each statement of the embedded trace store holds a thread of libuv's pool, which has four by default.
  UV_THREADPOOL_SIZE: '16',
  // glibc makes an arena for each of a few dozen threads, and hardly ever returns what was freed in them.
  MALLOC_ARENA_MAX: '2',
  // Large blocks come from the system and go back to it. Without a fixed threshold, the first large block that is freed
  // raises it to 32 MB, and from then on bodies of requests are cut out of a heap that only shrinks at its end.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // The embedded trace store has an allocator of its own, which keeps what was freed for five seconds. Batches and merges of
  // large texts go through hundreds of megabytes in that time.
  ...(isLittleMemory ? { JE_MALLOC_CONF: 'dirty_decay_ms:300' } : {}),
}
