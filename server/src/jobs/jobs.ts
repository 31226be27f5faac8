/**
 * The one runner of durable background work, on each node: it claims what is due, calls the handler of its kind, and
 * completes it, retries it with backoff, or makes it a dead letter. What a dead node had is reclaimed.
 */
import type { Job, JobQueue, JsonValue, NewJob } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { describeError } from '../process/describe-error.ts'
import type { Service } from '../process/service.ts'
import { makeCircuitBreakers } from './circuit-breaker.ts'
import { type JobContext, JobFailure, type JobHandler, type JobPolicy, type JobResult } from './job.ts'
import { makePoller } from './poller.ts'
import { attemptsMaxByDefault, retryDelayMs } from './retry-policy.ts'

interface JobsDeps {
  readonly queue: JobQueue
  /** Tells this node from others, also after it was started again. */
  readonly leaseOwner: string
  readonly logger: Logger
  readonly now: () => Date
}

type EnqueueOptions = Pick<NewJob, 'id' | 'key' | 'concurrencyGroup' | 'sequence' | 'position' | 'dueAt'> & {
  readonly workspaceId?: string
}

/** A kind of job, by which jobs of it are added. */
export interface JobKind<Payload extends JsonValue> {
  readonly name: string
  /** A job to add in a transaction of the control plane; call `notify` after it. */
  newJob(payload: Payload, options?: EnqueueOptions): NewJob
  /** Adds a job; false if one with its key is there. */
  enqueue(payload: Payload, options?: EnqueueOptions): Promise<boolean>
}

export interface Jobs extends Service {
  /** Registers the handler of a kind, before the start. */
  handle<Payload extends JsonValue>(
    kind: string,
    handler: JobHandler<Payload>,
    policy?: JobPolicy,
  ): JobKind<Payload>
  /** Registers work that one node does every now and then. */
  schedule(kind: string, everyMs: number, work: (context: JobContext) => Promise<void>): void
  /** Says that a job may be due. */
  notify(): void
  /** Resolves once no job is due or running here. */
  drained(): Promise<void>
}

interface RegisteredKind {
  readonly handler: JobHandler<JsonValue>
  readonly policy: JobPolicy
}

interface RunningJob {
  readonly job: Job
  readonly abort: AbortController
  readonly ended: Promise<void>
}

export const leaseMs = 60_000
const reclaimEveryMs = 10_000
/** How long jobs are shown after they ended. */
const retentionMs = { done: 7 * 86_400_000, failed: 30 * 86_400_000 }
const hourMs = 3_600_000
const concurrencyByDefault = 4
const problemCharactersMax = 500

export function makeJobs({ queue, leaseOwner, logger, now }: JobsDeps): Jobs {
  const kinds = new Map<string, RegisteredKind>()
  const scheduled: { kind: string; everyMs: number }[] = []
  const running = new Map<string, RunningJob>()
  const breakers = makeCircuitBreakers()
  let renewing: NodeJS.Timeout | undefined
  let reclaimedAtMs = Number.NEGATIVE_INFINITY

  const runningOf = (kind: string): Job[] =>
    [...running.values()].map(({ job }) => job).filter((job) => job.kind === kind)

  const closedGroups = (kind: string, { concurrencyPerGroup }: JobPolicy, nowMs: number): string[] => {
    const counts = Map.groupBy(runningOf(kind), (job) => job.concurrencyGroup)
    const full = [...counts].filter(
      ([group, jobs]) => group !== '' && jobs.length >= (concurrencyPerGroup ?? Number.POSITIVE_INFINITY),
    )
    return [...full.map(([group]) => group), ...breakers.closedGroups(nowMs, (group) => counts.has(group))]
  }

  /** Claims what the limits allow; false if there is nothing more to claim. */
  const claimSome = async (kind: string, { handler, policy }: RegisteredKind): Promise<boolean> => {
    const free = (policy.concurrency ?? concurrencyByDefault) - runningOf(kind).length
    if (free <= 0) return false
    const time = now()
    const isGrouped = policy.concurrencyPerGroup !== undefined || policy.breaker !== undefined
    const claimed = await queue.claim({
      kind,
      leaseOwner,
      leaseExpiresAt: new Date(time.getTime() + leaseMs),
      // Several of one group at once could pass its limit.
      limit: isGrouped ? 1 : free,
      closedGroups: closedGroups(kind, policy, time.getTime()),
      now: time,
    })
    for (const job of claimed) run(job, handler, policy)
    return claimed.length > 0
  }

  /** One after another: each goes by what is running. */
  let claiming: Promise<void> = Promise.resolve()
  const claimDue = (): Promise<void> => {
    const claimed = claiming.then(async () => {
      const dueAt = await queue.nextDueAt()
      if (dueAt === undefined || dueAt > now()) return
      for (const [kind, registered] of kinds)
        while (!poller.isStopped() && (await claimSome(kind, registered)));
    })
    claiming = claimed.catch(() => undefined)
    return claimed
  }

  const run = (job: Job, handler: JobHandler<JsonValue>, policy: JobPolicy): void => {
    const abort = new AbortController()
    const ended = attempt(job, handler, policy, abort.signal)
      .catch((error: unknown) =>
        // It is reclaimed when its lease expires.
        logger.warn(
          { err: error, jobId: job.id, kind: job.kind },
          'the result of a job could not be recorded',
        ),
      )
      .finally(() => {
        running.delete(job.id)
        if (!poller.isStopped()) poller.notify()
      })
    running.set(job.id, { job, abort, ended })
  }

  const attempt = async (
    job: Job,
    handler: JobHandler<JsonValue>,
    policy: JobPolicy,
    signal: AbortSignal,
  ): Promise<void> => {
    const claim = { id: job.id, attempts: job.attempts, leaseOwner }
    let result: JobResult
    try {
      const returned = await handler(job.payload, {
        id: job.id,
        workspaceId: job.workspaceId,
        attempts: job.attempts,
        isLastAttempt: isLastAttempt(job),
        now: now(),
        signal,
        reportProgress: async (progress) => void (await queue.reportProgress(claim, progress)),
      })
      result = typeof returned === 'object' ? returned : { type: 'done' }
    } catch (error) {
      if (signal.aborted) return void (await queue.release(claim, now()))
      return recordFailure(job, policy, error)
    }
    breakers.succeeded(job.concurrencyGroup)
    if (result.type === 'again') await queue.reschedule({ ...claim, dueAt: job.dueAt }, result.dueAt)
    else await queue.complete(claim, result.result, now())
  }

  const recordFailure = async (job: Job, policy: JobPolicy, error: unknown): Promise<void> => {
    const claim = { id: job.id, attempts: job.attempts, leaseOwner }
    const failure = error instanceof JobFailure ? error : undefined
    const problem = problemOf(error)
    if (policy.breaker !== undefined && job.concurrencyGroup !== '')
      breakers.failed(job.concurrencyGroup, policy.breaker, now().getTime())
    const isLast = failure?.isFinal === true || isLastAttempt(job)
    if (failure === undefined || isLast)
      logger.warn({ err: error, jobId: job.id, kind: job.kind, isLast }, 'a job failed')
    if (isLast) {
      await queue.fail(claim, problem, now())
      return
    }
    const delayMs = (policy.retryDelayMs ?? retryDelayMs)(job.attempts, Math.random())
    const dueAt = new Date(now().getTime() + Math.ceil(Math.max(delayMs, failure?.retryAfterMs ?? 0)))
    await queue.retryAt(claim, problem, dueAt)
  }

  const renew = async (): Promise<void> => {
    const ids = [...running.keys()]
    if (ids.length === 0) return
    const owned = new Set(await queue.renew(ids, leaseOwner, new Date(now().getTime() + leaseMs)))
    for (const id of ids) if (!owned.has(id)) running.get(id)?.abort.abort()
  }

  const reclaimExpired = async (): Promise<void> => {
    const time = now()
    if (Math.abs(time.getTime() - reclaimedAtMs) < reclaimEveryMs) return
    await queue.reclaim({ expiredAt: time }, time)
    reclaimedAtMs = time.getTime()
  }

  const poller = makePoller({
    async tick() {
      await reclaimExpired()
      await claimDue()
      return queue.nextDueAt()
    },
    subject: 'the jobs',
    logger,
    now,
  })

  const handle: Jobs['handle'] = (kind, handler, policy = {}) => {
    if (kinds.has(kind)) throw new Error(`The kind of job "${kind}" has a handler already.`)
    // Safe: only `newJob` below writes the payload of this kind.
    kinds.set(kind, { handler: handler as JobHandler<JsonValue>, policy })
    const attemptsMax = 'attemptsMax' in policy ? policy.attemptsMax : attemptsMaxByDefault
    const newJob: JobKind<JsonValue>['newJob'] = (payload, options = {}) => ({
      ...options,
      workspaceId: options.workspaceId,
      kind,
      payload,
      attemptsMax,
    })
    return {
      name: kind,
      newJob,
      async enqueue(payload, options) {
        const added = await queue.enqueue([newJob(payload, options)], now())
        poller.notify()
        return added.length > 0
      },
    }
  }

  const schedule: Jobs['schedule'] = (kind, everyMs, work) => {
    const again = async (_payload: JsonValue, context: JobContext): Promise<JobResult> => {
      await work(context)
      return { type: 'again', dueAt: new Date(now().getTime() + everyMs) }
    }
    handle(kind, again, {
      attemptsMax: undefined,
      retryDelayMs: (failures, chance) => Math.min(everyMs, retryDelayMs(failures, chance)),
    })
    scheduled.push({ kind, everyMs })
  }

  schedule('jobs.expire', hourMs, async ({ now: time }) =>
    queue.deleteFinished({
      done: new Date(time.getTime() - retentionMs.done),
      failed: new Date(time.getTime() - retentionMs.failed),
    }),
  )

  return {
    name: 'jobs',
    handle,
    schedule,
    notify: poller.notify,
    async start() {
      await queue.reclaim({ leaseOwner }, now())
      await queue.enqueue(
        scheduled.map(({ kind, everyMs }) => ({
          kind,
          key: 'scheduled',
          workspaceId: undefined,
          payload: null,
          dueAt: new Date(now().getTime() + everyMs),
          attemptsMax: undefined,
        })),
        now(),
      )
      const report = (error: unknown) =>
        logger.warn({ err: error }, 'the leases of jobs could not be renewed')
      renewing = setInterval(() => void renew().catch(report), leaseMs / 3).unref()
      poller.notify()
    },
    async stop() {
      const stopped = poller.stop()
      for (const { abort } of running.values()) abort.abort()
      await stopped
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
      clearInterval(renewing)
    },
    async drained() {
      for (;;) {
        await claimDue()
        if (running.size === 0) return
        await Promise.all([...running.values()].map(({ ended }) => ended))
      }
    },
  }
}

const isLastAttempt = ({ attempts, attemptsMax }: Job): boolean =>
  attempts >= (attemptsMax ?? Number.POSITIVE_INFINITY)

/** A sentence for people: without data of an unexpected error, which may quote a payload. */
function problemOf(error: unknown): string {
  if (error instanceof JobFailure) return error.message.slice(0, problemCharactersMax)
  const described = describeError(error)
  return typeof described === 'string' ? described : described.message
}
