/**
 * Runs the evaluation queue on this node: enqueues sampled traces, polls the concurrency groups with due evaluations,
 * claims what their limits allow, and passes the results to the writer.
 */
import { makePoller, type Poller } from '../../jobs/poller.ts'
import type { Backpressure } from './backpressure.ts'
import { type GroupRunnerParts, makeGroupRunner } from './group-runner.ts'
import { deadlineMs } from './retry-policy.ts'

interface RunnerParts extends GroupRunnerParts {
  /** Enqueues OpenTelemetry traces that have settled. */
  readonly queueSettled: () => Promise<void>
  /** Enqueues one arrival of sampled traces; false when none is left. */
  readonly enqueueNextArrival: () => Promise<boolean>
  readonly backpressure: Backpressure
}

/** Concurrency groups polled per tick. */
const groupsMax = 200
const sweepMs = 60_000

export function makeRunner(parts: RunnerParts): Poller {
  const { queue, writer, backpressure, abort, logger, now } = parts
  let hasStarted = false
  let sweptAtMs = Number.NEGATIVE_INFINITY

  /** Recovers the evaluations that an earlier process or another node left behind. */
  const sweep = async (): Promise<void> => {
    const time = now()
    if (time.getTime() - sweptAtMs < sweepMs) return
    if (!hasStarted) await queue.reclaim({ leaseOwner: parts.leaseOwner }, time)
    hasStarted = true
    await queue.reclaim({ expiredAt: time }, time)
    await writer.storeUnstored()
    while (await queue.failLate(new Date(time.getTime() - deadlineMs), time));
    sweptAtMs = time.getTime()
  }

  /** Enqueues all arrivals, or only one while requests need the thread. */
  const enqueueArrivals = async (): Promise<void> => {
    while (!poller.isStopped() && (await parts.enqueueNextArrival())) {
      if (backpressure.isNeeded()) return
      await yieldToRequests()
    }
  }

  const groups = makeGroupRunner(parts, {
    isStopped: () => poller.isStopped(),
    notify() {
      if (!poller.isStopped()) poller.notify()
    },
  })

  const poller = makePoller({
    async tick() {
      // The embedded engine's statements complete synchronously, so otherwise a tick would not yield to requests.
      await yieldToRequests()
      await sweep()
      await parts.queueSettled()
      const isPaused = now().getTime() < backpressure.pausedUntilMs()
      let workedMs = isPaused ? 0 : await measureMs(enqueueArrivals)
      for (const group of await queue.dueGroups(now(), groupsMax)) {
        if (poller.isStopped()) return undefined
        if (group.target !== undefined) await groups.runModelGroup(group)
        else if (group.isCode) await groups.runCodeGroup(group)
        // One batch of rules per group and tick, since they are read and written on the request thread.
        else if (!isPaused) workedMs += await measureMs(() => groups.runRules(group))
      }
      if (workedMs > 0) backpressure.reportWork(workedMs)
      const nextMs = await queue.nextDueMs()
      return nextMs === undefined ? undefined : new Date(Math.max(nextMs, backpressure.pausedUntilMs()))
    },
    subject: 'the evaluation queue',
    logger,
    now,
  })

  return {
    ...poller,
    async stop() {
      const stopped = poller.stop()
      abort.abort()
      await stopped
      await groups.ended()
      await writer.flush()
      // If this fails, the next start reclaims them.
      await queue.reclaim({ leaseOwner: parts.leaseOwner }, now()).catch(() => undefined)
    },
  }
}

/** The elapsed time of some work, including what it awaits. */
async function measureMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const yieldToRequests = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
