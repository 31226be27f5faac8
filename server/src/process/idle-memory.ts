/**
 * Returns memory to the system after a burst. V8 collects garbage when a program allocates, so that one that has become
 * idle keeps the bodies of its last requests, and the pages of worker threads that have ended: hundreds of MB after bodies
 * of 16 MB.
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TraceStore } from '@plumbline/storage/traces'

/** Below this utilization of the event loop, a collection of about 50 ms delays nobody. */
const idleUtilization = 0.1
/** Less is not worth a collection. */
const growthBytesMin = 48 * 1024 * 1024
/** Worker threads end half a minute after their last task. */
const followUpMs = 35_000

type Collect = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void

/**
 * A check to be made every few seconds: collects if the process has been idle since the last one and has grown, and has
 * the trace store release what it does not use.
 */
export function makeIdleCollection(traceStore: Pick<TraceStore, 'releaseMemory'>): () => Promise<void> {
  setFlagsFromString('--expose-gc')
  // Safe: the flag makes V8 define the function in new contexts.
  const collect = runInNewContext('gc') as Collect
  let loop = performance.eventLoopUtilization()
  let leastBytes = process.memoryUsage.rss()
  let followUpAtMs = Number.POSITIVE_INFINITY
  return async () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, loop)
    loop = now
    const bytes = process.memoryUsage.rss()
    leastBytes = Math.min(leastBytes, bytes)
    if (utilization > idleUtilization) return
    const hasGrown = bytes > leastBytes + growthBytesMin
    if (!hasGrown && performance.now() < followUpAtMs) return
    // This flavor returns pages at once that V8 would keep for later.
    collect({ type: 'major', flavor: 'last-resort' })
    followUpAtMs = hasGrown ? performance.now() + followUpMs : Number.POSITIVE_INFINITY
    await traceStore.releaseMemory()
    // What a collection leaves is in use: it is the level from now on.
    leastBytes = process.memoryUsage.rss()
  }
}
