/**
 * Returns memory to the system after startup and after a burst. V8 collects garbage only when a program allocates. A process
 * that has become idle therefore keeps the memory of loading its code, the bodies of its last requests, and the pages of
 * worker threads that have ended: hundreds of MB after 16 MB bodies.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TraceStore } from '@plumbline/storage/traces'

/** How often the process checks whether it is idle and has grown. */
export const idleCheckMs = 5_000

/** Below this share of CPU time the thread is idle, so a collection of about 50 ms delays no request. */
const idleShare = 0.1
/** A pause of a few seconds may end any moment, and the next request would wait for the collection. */
const idleChecksMin = 2
/** Less growth is not worth a collection. */
const growthBytesMin = 48 * 1024 * 1024
/** Worker threads end half a minute after their last task. */
const followUpMs = 35_000

type Collect = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void

/** Collects all garbage of this thread. This flavor returns pages at once that V8 would keep for later. */
export function makeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  // Safe: the flag makes V8 define the function in new contexts.
  const collect = runInNewContext('gc') as Collect
  return () => collect({ type: 'major', flavor: 'last-resort' })
}

/**
 * Makes a check to run every few seconds. It collects garbage if the process has been idle for several checks and has just
 * started or has grown, and makes the trace store release unused memory.
 */
export function makeIdleCollection(traceStore: Pick<TraceStore, 'releaseMemory'>): () => Promise<void> {
  const collect = makeCollector()
  let last = { cpu: process.threadCpuUsage(), atMs: performance.now() }
  let leastBytes = process.memoryUsage.rss()
  // The first idle moment collects the garbage of startup.
  let dueAtMs = Number.NEGATIVE_INFINITY
  let idleChecks = 0
  return async () => {
    const { user, system } = process.threadCpuUsage(last.cpu)
    const atMs = performance.now()
    // CPU time and not event loop utilization: on a busy machine the loop seems busy while it waits for a core.
    const share = (user + system) / 1000 / (atMs - last.atMs)
    last = { cpu: process.threadCpuUsage(), atMs }
    const bytes = process.memoryUsage.rss()
    leastBytes = Math.min(leastBytes, bytes)
    idleChecks = share > idleShare ? 0 : idleChecks + 1
    if (idleChecks < idleChecksMin) return
    const hasGrown = bytes > leastBytes + growthBytesMin
    if (!hasGrown && atMs < dueAtMs) return
    collect()
    dueAtMs = hasGrown ? atMs + followUpMs : Number.POSITIVE_INFINITY
    await traceStore.releaseMemory()
    // What remains after a collection is in use, so it is the new baseline.
    leastBytes = process.memoryUsage.rss()
  }
}
