import { totalmem } from 'node:os'

/** The memory of the machine, or of this process's control group. */
const memoryBytes = Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY)
/**
 * The same limit as `littleMemoryBytes` in `storage/traces/engine/memory-limits.ts`, which this file cannot import because
 * it may be TypeScript.
 */
const isLittleMemory = memoryBytes < 2 * 1024 ** 3

/** Variables that must be set before a process starts; the benchmark's service uses the same. */
export const environment = {
  // Each statement of the embedded trace store occupies a thread of libuv's pool, which has four by default.
  UV_THREADPOOL_SIZE: '16',
  // glibc makes an arena for each of a few dozen threads, and hardly ever returns memory freed in them.
  MALLOC_ARENA_MAX: '2',
  // Large blocks come from the system and go back to it. Without a fixed threshold, the first large block that is freed
  // raises it to 32 MB; from then on request bodies are allocated in a heap that shrinks only at its end.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // The embedded trace store has its own allocator, which keeps freed memory for five seconds. Batches and merges of large
  // texts use hundreds of megabytes in that time.
  ...(isLittleMemory ? { JE_MALLOC_CONF: 'dirty_decay_ms:300' } : {}),
}
