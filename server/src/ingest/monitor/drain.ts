/**
 * Moves acknowledged records from the spool to the trace store. Each sealed segment is one batch, and its id is the
 * token by which the store deduplicates batches: after a crash, the drain repeats the remaining segments, and the
 * store keeps each batch once.
 */
import { TraceStoreUnavailable } from '@plumbline/storage/traces'
import { makeMutex } from '../../process/mutex.ts'
import { makeLowerBackgroundThreads } from '../../process/threads/thread-priorities.ts'
import { type DrainParts, drainSegment } from './drain-segment.ts'
import { makeIncompleteSegments } from './incomplete-segments.ts'
import { makeSegmentRows, type SegmentRowsParts } from './segment-rows.ts'

export interface Drain {
  /** Notifies the drain that there may be work. */
  wake(): void
  /** Moves everything in the spool to the store; rejects when the store is unavailable. */
  flush(): Promise<void>
  /**
   * Resolves once all records acknowledged so far, or those of one workspace, are in the store; rejects when the store, or
   * the shard of the workspace, is unavailable.
   */
  settle(workspaceId?: string): Promise<void>
  /** Runs `work` while the drain is paused: the spool keeps its segments, and nothing writes to the store. */
  pauseWhile<Result>(work: () => Promise<Result>): Promise<Result>
  /** Finishes the current batch, then stops. */
  stop(): Promise<void>
}

/**
 * Minimum time between batches; the first one after a pause starts at once. A batch costs nearly the same whatever its
 * size, and waits for the disk several times, so under load batches are fewer and larger.
 */
const intervalMs = { calm: 500, busy: 1250 }
/** A backlog of this size means that there is load. */
const busyBytes = 1024 * 1024
/** The next batch starts early once this much is waiting. */
const eagerBytes = 16 * 1024 * 1024
/** A burst begins when this much is waiting, and ends when the backlog falls below `busyBytes`. */
const burstBytes = 2 * eagerBytes
/** The trace store releases unused memory after this idle time, and at this interval under load. */
const idleTimeoutMs = 2_000
const releaseIntervalMs = 10_000
const retryDelayMs = { first: 500, most: 10_000 }

/** A caller that waits for a batch which has not started. */
interface Waiter extends PromiseWithResolvers<void> {
  readonly workspaceId: string | undefined
}

export function makeDrain(parts: DrainParts & Omit<SegmentRowsParts, 'makesWholeTraces'>): Drain {
  const { spool, outages, logger } = parts
  let hasWork = false
  let isStopped = false
  let running: Promise<void> | undefined
  const pause = makePause()
  const memory = makeMemoryRelease(parts)
  const burst = makeBurst(parts)
  let waiting: Waiter[] = []
  const incomplete = makeIncompleteSegments(spool, outages)
  const segmentRows = makeSegmentRows({ ...parts, makesWholeTraces: parts.wholeTraces !== undefined })

  const lowerBackgroundThreads = makeLowerBackgroundThreads()

  /** Either a segment is drained or the work of `pauseWhile` runs, never both. */
  const { runExclusive } = makeMutex()

  const drainSealed = async (): Promise<void> => {
    lowerBackgroundThreads()
    await spool.seal()
    // A shard that comes back halfway stays excluded, or it would get later records before earlier ones.
    let awayShards: ReadonlySet<number> = new Set()
    for (const segment of spool.sealed()) {
      if (isStopped) return
      awayShards = awayShards.union(outages.shards)
      if (incomplete.waits(segment, awayShards)) continue
      await runExclusive(async () => {
        // The loop and a flush iterate over the same segments.
        if (!spool.sealed().some(({ id }) => id === segment.id)) return
        const waitingShards = await outages.runAround(() => {
          awayShards = awayShards.union(outages.shards)
          return drainSegment(segment, awayShards, segmentRows, parts)
        })
        incomplete.note(segment, waitingShards)
        memory.releaseWhenDue()
      })
    }
  }

  const run = async (): Promise<void> => {
    let retryAfterMs = retryDelayMs.first
    while (hasWork && !isStopped) {
      hasWork = false
      // A monotonic clock: if the wall clock were set back, the pause would be as long as the jump.
      const startedAt = performance.now()
      const minimumMs = incomplete.pendingBytes() < busyBytes ? intervalMs.calm : intervalMs.busy
      const waiters = waiting
      waiting = []
      try {
        await outages.probe()
        await burst.note(incomplete.pendingBytes())
        await drainSealed()
        await burst.note(incomplete.pendingBytes())
        for (const { resolve, reject, workspaceId } of waiters) {
          const problem = isStopped ? isStopping() : outages.errorFor(workspaceId)
          problem === undefined ? resolve() : reject(problem)
        }
        if (incomplete.any()) hasWork = true
        retryAfterMs = retryDelayMs.first
        const remainingMs = minimumMs - (performance.now() - startedAt)
        if (remainingMs > 0 && incomplete.pendingBytes() < eagerBytes && !isStopped)
          await pause.wait(remainingMs)
      } catch (error) {
        for (const { reject } of waiters) reject(error)
        const isAway = error instanceof TraceStoreUnavailable
        logger[isAway ? 'warn' : 'error'](
          { err: error, retryAfterMs },
          isAway ? 'the trace store is unavailable' : 'a batch could not be moved to the trace store',
        )
        hasWork = true
        await pause.wait(retryAfterMs)
        retryAfterMs = Math.min(retryAfterMs * 2, retryDelayMs.most)
      }
    }
    running = undefined
    if (hasWork && !isStopped) start()
    else if (!isStopped) memory.releaseAfterRest()
  }

  const start = (): void => {
    memory.keep()
    running ??= run()
  }

  return {
    wake() {
      hasWork = true
      start()
    },
    async flush() {
      await outages.probe({ isDue: false })
      await drainSealed()
      const problem = incomplete.any() ? outages.errorFor() : undefined
      if (problem !== undefined) throw problem
    },
    settle(workspaceId) {
      const drained = Promise.withResolvers<void>()
      waiting.push({ ...drained, workspaceId })
      hasWork = true
      start()
      pause.end()
      return drained.promise
    },
    pauseWhile: runExclusive,
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(isStopping())
      memory.keep()
      pause.end()
      await running
    },
  }
}

const isStopping = (): Error => new Error('The service is stopping.')

/** A pause that ends early when a caller waits for the next batch. */
function makePause(): { wait(ms: number): Promise<void>; end(): void } {
  let end = (): void => {}
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    end: () => end(),
  }
}

/** Makes the trace store release memory when idle, and at intervals under load. */
function makeMemoryRelease({ store, logger }: Pick<DrainParts, 'store' | 'logger'>) {
  let releasedAtMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  const release = (): void => {
    releasedAtMs = performance.now()
    store
      .releaseMemory()
      .catch((error: unknown) => logger.warn({ err: error }, 'the trace store did not release its memory'))
  }
  return {
    releaseWhenDue(): void {
      if (performance.now() - releasedAtMs >= releaseIntervalMs) release()
    },
    releaseAfterRest(): void {
      timer = setTimeout(release, idleTimeoutMs).unref()
    },
    /** Cancels the release, since there is work again. */
    keep(): void {
      clearTimeout(timer)
    },
  }
}

/** Defers merges in the trace store during a burst, so that it drains sooner; the parts are merged afterwards. */
function makeBurst({ store, logger }: Pick<DrainParts, 'store' | 'logger'>) {
  let isBurst = false
  return {
    async note(pendingBytes: number): Promise<void> {
      if (isBurst ? pendingBytes >= busyBytes : pendingBytes < burstBytes) return
      try {
        await store.deferMerges(!isBurst)
        isBurst = !isBurst
      } catch (error) {
        // Some tables may have been changed already, so the burst is ended in any case.
        isBurst = true
        logger.warn({ err: error }, 'the trace store could not switch between normal and deferred merges')
      }
    },
  }
}
