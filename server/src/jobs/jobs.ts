/**
 * The one runner of durable background work, on each node: it claims due jobs, calls the handler of their kind, and
 * completes them, retries them with backoff, or makes them dead letters. Jobs of a dead node are reclaimed.
 */
import type { JobQueue, JsonValue, NewJob } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { Service } from '../process/service.ts'
import { makeCircuitBreakers } from './circuit-breaker.ts'
import { makeClaiming } from './claiming.ts'
import type { JobContext, JobHandler, JobPolicy } from './job.ts'
import { type JobKind, makeJobKinds } from './job-kinds.ts'
import { makePoller } from './poller.ts'
import { leaseMs, makeRunningJobs } from './running-jobs.ts'

interface JobsDeps {
  readonly queue: JobQueue
  /** Identifies this node among others, also after a restart. */
  readonly leaseOwner: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface Jobs extends Service {
  /** Registers the handler of a kind; call before the start. */
  handle<Payload extends JsonValue>(
    kind: string,
    handler: JobHandler<Payload>,
    policy?: JobPolicy,
  ): JobKind<Payload>
  /** Registers a scheduled task, which one of the nodes runs at each interval. */
  schedule(kind: string, everyMs: number, work: (context: JobContext) => Promise<void>): void
  /** Registers a permanent job: it is added at the start, and again after a user has cancelled it. */
  makePermanent(makeJob: () => NewJob): void
  /** A job may be due. */
  notify(): void
  /** Resolves once no job is due or running on this node. */
  drained(): Promise<void>
}

const reclaimEveryMs = 10_000
const enqueueEveryMs = 60_000
/** How long finished jobs are shown. */
const retentionMs = { done: 7 * 86_400_000, failed: 30 * 86_400_000 }
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Setting the clock back by less than this is a correction, which delays nothing for long. */
const setBackMs = 5_000
/** Clocks of nodes differ by less than this. */
const clockSkewMs = 5 * 60_000

export function makeJobs({ queue, leaseOwner, logger, now: readClock }: JobsDeps): Jobs {
  let latestMs = Number.NEGATIVE_INFINITY
  /** Records every time that is used here, since a job may end and be rescheduled between two ticks. */
  const now = (): Date => {
    const time = readClock()
    latestMs = Math.max(latestMs, time.getTime())
    return time
  }
  const breakers = makeCircuitBreakers()
  const kinds = makeJobKinds({ queue, onAdded: () => poller.notify(), now })
  const runningJobs = makeRunningJobs({
    ...{ queue, leaseOwner, breakers, logger, now },
    onEnded() {
      if (!poller.isStopped()) poller.notify()
    },
  })
  const claimDue = makeClaiming({
    ...{ queue, leaseOwner, runningJobs, breakers, now },
    kinds: kinds.kinds,
    isStopped: () => poller.isStopped(),
  })
  let renewing: NodeJS.Timeout | undefined
  /** Runs the work at most once per interval. If the clock was set back, the pause must not become as long as the jump. */
  const everyNowAndThen = (
    everyMs: number,
    work: (time: Date) => Promise<unknown>,
  ): (() => Promise<void>) => {
    let doneAtMs = Number.NEGATIVE_INFINITY
    return async () => {
      const time = now()
      if (Math.abs(time.getTime() - doneAtMs) < everyMs) return
      await work(time)
      doneAtMs = time.getTime()
    }
  }
  const reclaimExpired = everyNowAndThen(reclaimEveryMs, (time) => queue.reclaim({ expiredAt: time }, time))
  const enqueuePermanent = everyNowAndThen(enqueueEveryMs, kinds.enqueuePermanent)

  /** Moves up jobs that were scheduled by a clock that was ahead; otherwise they would wait until the clock gets there again. */
  const hasten = async (limitMs: (dueWithinMs: number) => number): Promise<void> => {
    const time = now()
    for (const [kind, { policy }] of kinds.kinds)
      if (policy.dueWithinMs !== undefined)
        await queue.hasten(kind, new Date(time.getTime() + limitMs(policy.dueWithinMs)), time)
  }

  const noticeSetBack = async (): Promise<void> => {
    const timeMs = now().getTime()
    if (timeMs >= latestMs - setBackMs) return
    await hasten((dueWithinMs) => (dueWithinMs < dayMs ? 0 : dueWithinMs))
    latestMs = timeMs
  }

  const poller = makePoller({
    async tick() {
      await noticeSetBack()
      await reclaimExpired()
      await enqueuePermanent()
      await claimDue()
      return queue.nextDueAt()
    },
    subject: 'the jobs',
    logger,
    now,
  })

  kinds.schedule('jobs.expire', hourMs, async ({ now: time }) =>
    queue.deleteFinished({
      doneCutoff: new Date(time.getTime() - retentionMs.done),
      failedCutoff: new Date(time.getTime() - retentionMs.failed),
    }),
  )

  return {
    name: 'jobs',
    handle: kinds.handle,
    schedule: kinds.schedule,
    makePermanent: kinds.makePermanent,
    notify: poller.notify,
    async start() {
      await queue.reclaim({ leaseOwner }, now())
      await enqueuePermanent()
      await hasten((dueWithinMs) => dueWithinMs + clockSkewMs)
      const report = (error: unknown) => logger.warn({ err: error }, 'job leases could not be renewed')
      renewing = setInterval(() => void runningJobs.renew().catch(report), leaseMs / 3).unref()
      poller.notify()
    },
    async stop() {
      const stopped = poller.stop()
      runningJobs.abort()
      await stopped
      runningJobs.abort()
      await runningJobs.ended()
      clearInterval(renewing)
    },
    async drained() {
      for (;;) {
        await claimDue()
        if (runningJobs.size === 0) return
        await runningJobs.ended()
      }
    },
  }
}
