/**
 * Returns memory to the system after the start and after a burst. V8 collects garbage when a program allocates, so that
 * one that has become idle keeps what loading its code took, the bodies of its last requests, and the pages of worker
 * threads that have ended: hundreds of MB after bodies of 16 MB.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TraceStore } from '@plumbline/storage/traces'

/** How often the process looks whether it is idle and has grown. */
export const idleCheckMs = 5_000

/** A thread that used less of its time than this has nobody whom a collection of about 50 ms delays. */
const idleShare = 0.1
/** A pause of a few seconds may be over: whoever comes then would wait for the collection. */
const idleChecksMin = 2
/** Less is not worth a collection. */
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
 * A check to be made every few seconds: collects if the process has been idle for some of them and has started or grown
 * before, and has the trace store release what it does not use.
 */
export function makeIdleCollection(traceStore: Pick<TraceStore, 'releaseMemory'>): () => Promise<void> {
  const collect = makeCollector()
  let last = { cpu: process.threadCpuUsage(), atMs: performance.now() }
  let leastBytes = process.memoryUsage.rss()
  // The first idle moment collects what the start has left.
  let dueAtMs = Number.NEGATIVE_INFINITY
  let idleChecks = 0
  return async () => {
    const { user, system } = process.threadCpuUsage(last.cpu)
    const atMs = performance.now()
    // CPU time: on a busy machine the event loop seems utilized while it waits for a core.
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
    // What a collection leaves is in use: it is the level from now on.
    leastBytes = process.memoryUsage.rss()
  }
}
